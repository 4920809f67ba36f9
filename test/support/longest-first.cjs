// Orders the test files. Jest starts the longest files first if it knows their durations, otherwise the largest. Some of the longest
// are small; started last, they would delay the end of the run.

const { default: Sequencer } = require('@jest/test-sequencer');

/** The longest shares (test/groups), then those after them. */
const LONG = [
  /groups[/\\]flows-/,
  /groups[/\\](browser|proofs)-/,
  /groups[/\\]repository-/,
  /groups[/\\]processes-/,
];
const rank = (path) => (LONG.findIndex((long) => long.test(path)) + LONG.length + 1) % (LONG.length + 1);

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => rank(one.path) - rank(other.path));
  }
};
