// The tests that Stryker asks: those of one file, named by run.ts. Tests of the repository read the sources as
// text, which Stryker rewrites.

const process = require('node:process');
const { projects } = require('../../jest.config.cjs');

const unit = projects.find(({ displayName }) => displayName === 'unit');

// A test that hangs with a mutation is ended by Stryker.
module.exports = {
  ...unit,
  testTimeout: 30_000,
  roots: ['<rootDir>/src/merchant', '<rootDir>/test'],
  testMatch: process.env.MUTATION_TESTS.split(',').map((test) => `<rootDir>/test/${test}.test.ts`),
};
