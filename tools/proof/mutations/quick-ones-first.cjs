// Unit tests run before property tests: they are faster, and detect most mutations.

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
