// Five projects. `npm test` runs `unit` (no database) and `flows` (both programs in one process, on a throw-away PostgreSQL).
// Without a path these, `browser` and `repository` run in a few shares, each of which loads the program once (test/groups). With
// a path, single files run: `npm test -- test/browser`.
// @prisma/schema-engine-wasm ships ES modules only, so it is transformed like our own sources.
const { availableParallelism } = require('node:os');
const { join } = require('node:path');
const process = require('node:process');
const FOLDERS = require('./test/groups/folders.json');

const shared = {
  rootDir: __dirname,
  testEnvironment: 'node',
  // dist has a package.json as well, which would be a duplicate.
  modulePathIgnorePatterns: [pattern('dist', '/')],
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
const withPrograms = { ...withDatabase, globalSetup: '<rootDir>/test/support/processes-setup.ts' };

const files = (displayName) =>
  FOLDERS[displayName].map((folder) => pattern(`test/${folder}`, '/.+\\.test\\.ts$'));
const shares = (displayName) => [pattern(`test/groups/${displayName}`, '-[^/]+\\.test\\.ts$')];
const project = (displayName, testRegex, setup = {}) => ({ ...shared, ...setup, displayName, testRegex });

const args = process.argv.slice(2);
const hasPath = namesFiles(args);
const hasShare = args.some((arg) => /[/\\]groups[/\\]/.test(arg));
const tests = hasPath && !hasShare ? files : shares;

module.exports = {
  // Ends a hang, but tolerates a busy machine.
  testTimeout: 180_000,
  // Tests spend a third of their time waiting for processes and PostgreSQL.
  maxWorkers: availableParallelism() + 1,
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  projects:
    hasPath || args.includes('--selectProjects')
      ? [
          project('unit', tests('unit')),
          project('flows', tests('flows'), withDatabase),
          project('browser', tests('browser'), withDatabase),
          project('processes', files('processes'), withPrograms),
          project('repository', tests('repository'), withDatabase),
        ]
      : [
          // What `npm test` runs.
          project('unit', tests('unit')),
          project('flows', tests('flows'), withDatabase),
        ],
};

/**
 * A regular expression for paths that begin with `path` of this folder. Its name may be "c++" or "[a]": in a glob, or after the
 * `<rootDir>` of jest, such characters could not be escaped.
 */
function pattern(path, rest) {
  const start = join(__dirname, path).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return `^${start}${rest}`;
}

/** Whether the arguments have a path or a watch mode. */
function namesFiles(args) {
  const optionBefore = (at) => args.slice(0, at).findLast((arg) => arg.startsWith('-'));
  const isPath = (arg, at) =>
    !arg.startsWith('-') &&
    !['-t', '--testNamePattern'].includes(args[at - 1]) &&
    optionBefore(at) !== '--selectProjects';
  return args.some(isPath) || args.some((arg) => /^--(watch|testPathPatterns)/.test(arg));
}
