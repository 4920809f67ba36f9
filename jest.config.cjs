// Four projects: `unit` needs no database, `flows` runs both programs on a throw-away PostgreSQL, `browser` adds Chromium,
// `processes` starts the programs and commands as people do. The first two are quick: run them after every change.
// @prisma/schema-engine-wasm ships ES modules only, so it is transformed like our own sources.
const { availableParallelism } = require('node:os');

const shared = {
  rootDir: __dirname,
  testEnvironment: 'node',
  // It has a package.json as well.
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  transformIgnorePatterns: ['node_modules/(?!@prisma/schema-engine-wasm/)'],
  transform: {
    '(\\.ts|schema-engine-wasm/.+\\.js)$': [
      '@swc/jest',
      {
        jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
};
const withDatabase = {
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};
const tests = (...folders) => folders.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`);

module.exports = {
  // Every test waits for something real. A machine that is busy with other work is no reason to fail.
  testTimeout: 30_000,
  // A third of the time a test waits: for a process, for PostgreSQL, for the clock of the host.
  maxWorkers: availableParallelism() + 1,
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: tests('merchant', 'sandbox', 'local', 'repository', 'properties'),
    },
    { ...shared, ...withDatabase, displayName: 'flows', testMatch: tests('flows', 'faults', 'simulation') },
    { ...shared, ...withDatabase, displayName: 'browser', testMatch: tests('browser') },
    {
      ...shared,
      ...withDatabase,
      globalSetup: '<rootDir>/test/support/processes-setup.ts',
      displayName: 'processes',
      testMatch: tests('processes'),
    },
  ],
};
