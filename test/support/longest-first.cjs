// Jest starts the longest files first as far as it knows them, and the largest on a machine that has not run the tests before.
// Some of the longest are small: begun last, such a file is waited for alone.

const { default: Sequencer } = require('@jest/test-sequencer');

/** The longest first, and then everything else that waits for processes and a browser. */
const LONG = [
  /soak/,
  /without-sandbox/,
  /start\.test/,
  /accessibility/,
  /kill-loop|pressure|fuzz/,
  /[/\\]test[/\\](browser|processes)[/\\]/,
];
const rank = (path) => (LONG.findIndex((long) => long.test(path)) + LONG.length + 1) % (LONG.length + 1);

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => rank(one.path) - rank(other.path));
  }
};
