// Ends the tests of a mutation at the first failure, in any file. Jest's own `bail` works only between files, and not under
// Stryker.

const process = require('node:process');
const { TestEnvironment } = require('jest-environment-node');

/** Stryker's number of the last detected mutation. This file is loaded once for all mutations. */
let noticed;
const underTest = () => process.env.__STRYKER_ACTIVE_MUTANT__;

module.exports = class StopAtFirstFailure extends TestEnvironment {
  handleTestEvent({ name, test }, { rootDescribeBlock }) {
    // Without a mutation all tests run, so that Stryker learns which test covers which code.
    if (underTest() === undefined) return;
    if (name === 'test_fn_failure' || name === 'hook_failure') noticed = underTest();
    if (noticed !== underTest()) return;
    if (name === 'run_start') rootDescribeBlock.mode = 'skip';
    if (name === 'test_start') test.mode = 'skip';
  }
};
