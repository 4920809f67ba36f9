// The tests that search all files of the repository find them in a ZIP of it as well, which has no history.

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { filesNotIgnored, filesOfGit, repositoryFiles } from '../../../test/support/repository-files';

const ROOT = join(__dirname, '..', '..', '..');
const cloned = existsSync(join(ROOT, '.git')) ? test : test.skip;

test('without .git every file counts that .gitignore does not name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'zip-'));
  const kept = ['README.md', 'src/start.ts', 'docs/.env.example', 'generated/kept.ts'];
  const ignored = [
    'node_modules/one/index.js',
    'test/node_modules/x.js',
    'a.log',
    '.env',
    'src/generated/client.ts',
  ];
  for (const path of [...kept, ...ignored]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
  writeFileSync(join(folder, '.gitignore'), 'node_modules/\n.env\nsrc/generated/\n*.log\n');
  expect(repositoryFiles(folder).sort()).toEqual(['.gitignore', ...kept].sort());
  rmSync(folder, { recursive: true });
});

cloned('these are the files that git names', () => {
  expect(filesNotIgnored(ROOT).sort()).toEqual(filesOfGit(ROOT).sort());
});
