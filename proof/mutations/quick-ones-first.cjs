// The unit tests of a file are asked before its properties: most mutations are noticed there, and each within less time.

const { default: Sequencer } = require('@jest/test-sequencer');

const PROPERTIES = /[/\\]test[/\\]properties[/\\]/;

module.exports = class QuickOnesFirst extends Sequencer {
  sort(tests) {
    return [
      ...tests.filter(({ path }) => !PROPERTIES.test(path)),
      ...tests.filter(({ path }) => PROPERTIES.test(path)),
    ];
  }
};
