// The tests of one mutation end with the first that notices it, in whichever file that is. Jest itself ends a run between two
// files at the earliest, and not when Stryker has started it.

const process = require('node:process');
const { TestEnvironment } = require('jest-environment-node');

/** Stryker's number of the mutation that was noticed last. This file is loaded once for all of them. */
let noticed;
const underTest = () => process.env.__STRYKER_ACTIVE_MUTANT__;

module.exports = class StopAtFirstFailure extends TestEnvironment {
  handleTestEvent({ name, test }, { rootDescribeBlock }) {
    // Without a mutation everything is run: that tells Stryker which test reaches what.
    if (underTest() === undefined) return;
    if (name === 'test_fn_failure' || name === 'hook_failure') noticed = underTest();
    if (noticed !== underTest()) return;
    if (name === 'run_start') rootDescribeBlock.mode = 'skip';
    if (name === 'test_start') test.mode = 'skip';
  }
};
