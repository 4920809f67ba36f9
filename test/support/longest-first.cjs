// Orders the test files. Jest starts the longest files first if it knows their durations, otherwise the largest. Some of the longest
// are small; started last, they would delay the end of the run.

const { basename } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Shares (test/groups) in the order of their start: the longest first, and those of processes, which begin with tests that wait, beside
 * those that use a processor all the time. Tests of files and pages wait for nothing, so the whole machine is used to the end.
 */
const SHARES = [
  'flows',
  ...['proofs-1', 'processes-4', 'browser', 'processes-5', 'processes-1', 'proofs-2', 'processes-2'],
  ...['proofs-3', 'processes-3', 'repository'],
];

/** Other files have the same place, and stay in jest's order. */
function placeOf({ path }) {
  const place = SHARES.findIndex((name) => basename(path).startsWith(`${name}-`));
  return place === -1 ? SHARES.length : place;
}

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => placeOf(one) - placeOf(other));
  }
};
