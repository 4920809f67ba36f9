// Orders the test files. Jest starts the longest files first if it knows their durations, otherwise the largest. Some of the longest
// are small; started last, they would delay the end of the run.

const { default: Sequencer } = require('@jest/test-sequencer');

/** The longest files, then the other files with processes and a browser. */
const LONG = [
  /groups[/\\]flows-/,
  /without-sandbox|adopt\.test/,
  /start\.test/,
  /browser-|accessibility/,
  /kill-loop|pressure|fuzz|repository-/,
  /[/\\]test[/\\](browser|processes)[/\\]/,
];
const rank = (path) => (LONG.findIndex((long) => long.test(path)) + LONG.length + 1) % (LONG.length + 1);

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => rank(one.path) - rank(other.path));
  }
};
