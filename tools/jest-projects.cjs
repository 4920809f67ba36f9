// The projects of jest whose tests are about this repository: its texts, examples and settings, and what proves the programs.

const FOLDERS = require('../test/groups/folders.json');
const {
  filesIn,
  project,
  sharesIn,
  withDatabase,
  withPrograms,
} = require('../test/support/jest-project.cjs');

module.exports = ({ inShares }) => {
  const tests = (displayName) =>
    inShares ? sharesIn('tools/test/groups', displayName) : filesIn(FOLDERS[displayName]);
  return [
    project('repository', tests('repository'), withDatabase),
    project('proofs', tests('proofs'), withPrograms),
  ];
};
