// The projects of jest whose tests are about this repository: its texts, examples and settings, and what proves the programs.

const FOLDERS = require('../test/groups/folders.json');
const {
  filesIn,
  project,
  sharesIn,
  withDatabase,
  withPrograms,
} = require('../test/support/jest-project.cjs');

module.exports = ({ inShares }) => [
  project(
    'repository',
    inShares ? sharesIn('tools/test/groups', 'repository') : filesIn(FOLDERS.repository),
    withDatabase,
  ),
  project('proofs', filesIn(['tools/test/flows', 'tools/test/processes']), withPrograms),
];
