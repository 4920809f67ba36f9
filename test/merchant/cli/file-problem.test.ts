// An error of the file system is explained to the person at the command, with the remedy. test/processes/data-of-another-user.test.ts
// has the commands.

import { fileProblem } from '../../../src/merchant/platform/file-problem';

test.each([
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['ENOTDIR', 'is a file where a folder is needed'],
])('%s is explained as well', (code, says) => {
  const error = Object.assign(new Error(), { code, path: 'here/file' });
  expect(fileProblem(error)).toMatch(new RegExp(`${process.cwd()}/here/file .*${says}.*set DATA_DIR`));
});

test('an error of something else is not explained', () => {
  expect(fileProblem(Object.assign(new Error(), { code: 'EACCES', port: 80 }))).toBeNull();
  expect(fileProblem(new Error('x'))).toBeNull();
});
