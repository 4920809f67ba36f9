// Orders the test files. Jest starts the longest files first if it knows their durations, otherwise the largest. Some of the longest
// are small; started last, they would delay the end of the run. Tests of files and pages come after those of processes: they wait
// for nothing, so the whole machine is used to the end.

const { default: Sequencer } = require('@jest/test-sequencer');

/** The longest shares (test/groups), each kind in order of its paths, then those after them. */
const LONG = [
  /groups[/\\]flows-/,
  /groups[/\\](browser|proofs)-/,
  /groups[/\\]processes-/,
  /groups[/\\]repository-/,
];

/** Other files have the same place, and stay in jest's order. */
function placeOf({ path }) {
  const kind = LONG.findIndex((long) => long.test(path));
  return kind === -1 ? String(LONG.length) : `${kind} ${path}`;
}

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => placeOf(one).localeCompare(placeOf(other)));
  }
};
