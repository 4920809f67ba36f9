// Four projects, and those of `tools`. `npm test` runs `unit` (no database) and `flows` (both programs in one process, on a throw-away
// PostgreSQL). Without a path each project runs in a few shares, each of which loads the program once (test/groups). With a path,
// single files run: `npm test -- test/browser`.
const { existsSync } = require('node:fs');
const { availableParallelism } = require('node:os');
const { join } = require('node:path');
const process = require('node:process');
const FOLDERS = require('./test/groups/folders.json');
const { filesIn, project, sharesIn, withDatabase, withPrograms } = require('./test/support/jest-project.cjs');

const args = process.argv.slice(2);
const hasPath = namesFiles(args);
const hasShare = args.some((arg) => /[/\\]groups[/\\]/.test(arg));
const files = (displayName) => filesIn(FOLDERS[displayName]);
const tests = (displayName) =>
  hasPath && !hasShare ? files(displayName) : sharesIn('test/groups', displayName);
const TOOLS = join(__dirname, 'tools', 'jest-projects.cjs');

// For the workers: a share keeps 150 MB, and without a limit the heap grows with the memory of the machine.
process.execArgv.push('--max-old-space-size=640');

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
          project('processes', tests('processes'), withPrograms),
          ...(existsSync(TOOLS) ? require(TOOLS)({ inShares: !hasPath || hasShare }) : []),
        ]
      : [
          // What `npm test` runs.
          project('unit', tests('unit')),
          project('flows', tests('flows'), withDatabase),
        ],
};

/** Whether the arguments have a path or a watch mode. */
function namesFiles(args) {
  const optionBefore = (at) => args.slice(0, at).findLast((arg) => arg.startsWith('-'));
  const isPath = (arg, at) =>
    !arg.startsWith('-') &&
    !['-t', '--testNamePattern'].includes(args[at - 1]) &&
    optionBefore(at) !== '--selectProjects';
  return args.some(isPath) || args.some((arg) => /^--(watch|testPathPatterns)/.test(arg));
}
