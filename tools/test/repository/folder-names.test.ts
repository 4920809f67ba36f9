// The name of the folder of a clone does not decide which tests are found.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..');

test('jest finds the tests in a folder whose name has characters of globs and expressions', () => {
  const parent = mkdtempSync(join(tmpdir(), 'folder-names-'));
  const clone = join(parent, 'c++ [a] shop!');
  mkdirSync(clone);
  for (const path of ['jest.config.cjs', 'package.json', 'test'])
    cpSync(join(ROOT, path), join(clone, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  const shares = testsIn('test/groups').filter((file) => /^(unit|flows)-/.test(file));
  expect(found(clone)).toEqual(shares);
  expect(found(clone, 'test/flows/charges')).toEqual(testsIn('test/flows/charges'));
  rmSync(parent, { recursive: true });
});

function found(folder: string, ...paths: string[]): string[] {
  const jest = join(folder, 'node_modules', 'jest', 'bin', 'jest.js');
  const args = [jest, '--listTests', ...paths];
  const files = execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).trim().split('\n');
  return files.map((file) => basename(file)).sort();
}

function testsIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder))
    .filter((file) => file.endsWith('.test.ts'))
    .sort();
}
