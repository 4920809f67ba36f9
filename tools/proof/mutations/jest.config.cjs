// The tests that Stryker runs: those of one file, named by run.ts. Tests of the repository are left out, because they read the
// sources as text, which Stryker rewrites.

const { basename, dirname, join } = require('node:path');
const process = require('node:process');
const { projects } = require('../../../jest.config.cjs');

const unit = projects.find(({ displayName }) => displayName === 'unit');
const tests = process.env.MUTATION_TESTS.split(',').map((test) =>
  join(unit.rootDir, 'test', `${test}.test.ts`),
);

// A test that hangs with a mutation is ended by Stryker.
module.exports = {
  ...unit,
  testTimeout: 30_000,
  // Jest scans these folders once per mutation.
  roots: [...new Set(tests.map(dirname))],
  testRegex: tests.map((test) => `/${basename(test).replaceAll('.', '\\.')}$`),
  testEnvironment: require.resolve('./stop-at-first-failure.cjs'),
  testSequencer: require.resolve('./quick-ones-first.cjs'),
};
