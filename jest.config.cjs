// Five projects. `npm test` runs `unit` (no database) and `flows` (both programs in one process, on a throw-away PostgreSQL), each
// in a few shares that load the program once (test/groups). With a path or a project as argument, single files of all projects
// run: `npm test -- test/browser`, `npx jest --selectProjects processes`. Only `--selectProjects browser` without a path runs shares.
// @prisma/schema-engine-wasm ships ES modules only, so it is transformed like our own sources.
const { availableParallelism } = require('node:os');
const process = require('node:process');
const FOLDERS = require('./test/groups/folders.json');
const args = process.argv.slice(2);

const shared = {
  rootDir: __dirname,
  testEnvironment: 'node',
  // dist has a package.json as well, which would be a duplicate.
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
const withPrograms = { ...withDatabase, globalSetup: '<rootDir>/test/support/processes-setup.ts' };
/** Shares, if the arguments have projects but no path, or the path of such a share. */
const browserFiles = () => {
  const namesPaths = args.some((arg) =>
    /^--(testPath.*|runTestsByPath|findRelatedTests|watch.*)?(=|$)/.test(arg),
  );
  const namesShare = args.some((arg) => /groups.browser-/.test(arg));
  return namesShare || (args.includes('--selectProjects') && !namesPaths)
    ? shares('browser')
    : files('browser');
};

const files = (displayName) => FOLDERS[displayName].map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`);
const shares = (displayName) => [`<rootDir>/test/groups/${displayName}-*.test.ts`];
const project = (displayName, testMatch, setup = {}) => ({ ...shared, ...setup, displayName, testMatch });

module.exports = {
  // Ends a hang, but tolerates a busy machine.
  testTimeout: 180_000,
  // Tests spend a third of their time waiting for processes and PostgreSQL.
  maxWorkers: availableParallelism() + 1,
  testSequencer: '<rootDir>/test/support/longest-first.cjs',
  projects: namesFiles(args)
    ? [
        project('unit', files('unit')),
        project('flows', files('flows'), withDatabase),
        project('browser', browserFiles(), withDatabase),
        project('processes', files('processes'), withPrograms),
        project('repository', files('repository'), withDatabase),
      ]
    : [
        // What `npm test` runs.
        project('unit', shares('unit')),
        project('flows', shares('flows'), withDatabase),
      ],
};

/** Whether the arguments have a path, a project or a watch mode. */
function namesFiles(args) {
  const isName = (arg, at) => !arg.startsWith('-') && !['-t', '--testNamePattern'].includes(args[at - 1]);
  return args.some(isName) || args.some((arg) => arg.startsWith('--watch'));
}
