// A misspelt option or word of a command is answered by the one that was meant, if one is close.

import { didYouMean } from '../../../src/merchant/cli/command';

const OPTIONS = ['--live', '--json', '--help', '--dry-run'];

test.each([
  ['--liv', '; did you mean --live?'],
  ['live', '; did you mean --live?'],
  ['--Jsno', '.'],
  ['--jsn', '; did you mean --json?'],
  ['--dryrun', '; did you mean --dry-run?'],
  ['--from', '.'],
  ['', '.'],
])('%s', (typed, end) => {
  expect(didYouMean(typed, OPTIONS)).toBe(end);
});
