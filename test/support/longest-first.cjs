// Jest starts the longest files first as far as it knows them, and the largest on a machine that has not run the tests before.
// The longest are in these folders, and some are small: begun last, such a file is waited for alone.

const { default: Sequencer } = require('@jest/test-sequencer');

const LONG = /[/\\]test[/\\](browser|processes)[/\\]/;

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [
      ...sorted.filter(({ path }) => LONG.test(path)),
      ...sorted.filter(({ path }) => !LONG.test(path)),
    ];
  }
};
