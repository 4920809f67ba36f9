// What a started merchant has loaded: memory and the time of a start are mostly the modules that are read for it.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMerchantProcess } from '../support/merchant-process';

const ROOT = join(__dirname, '..', '..');

test('a started merchant has loaded no command, no sandbox and no package of development', async () => {
  const loaded = await loadedByMerchant();
  const ours = loaded.filter((file) => file.startsWith('src/'));
  expect(ours).toContain('src/merchant/app.ts');
  expect(ours.filter((file) => /^src\/(merchant\/cli|sandbox)\//.test(file))).toEqual([]);

  const packages = new Set(loaded.flatMap((file) => PACKAGE.exec(file)?.[1] ?? []));
  expect(packages).toContain('node_modules/express');
  const { packages: locked } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  expect([...packages].filter((name) => locked[name]?.dev === true)).toEqual([]);
});

const PACKAGE = /^(node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** Files below the root, as the process had them when it was ready. Nothing answers it: no request needs a module. */
async function loadedByMerchant(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'loaded-modules-'));
  const [list, lister] = [join(folder, 'list.json'), join(folder, 'lister.cjs')];
  writeFileSync(
    lister,
    `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify(Object.keys(require.cache))));`,
  );
  const nowhere = 'http://127.0.0.1:1';
  const merchant = await startMerchantProcess(
    {
      DATABASE_URL: 'postgresql://127.0.0.1:1/nobody',
      SERVICE_BASE_URL: nowhere,
      SERVICE_V2_BASE_URL: nowhere,
    },
    { root: ROOT, nodeFlags: ['--require', lister] },
  );
  await merchant.kill('SIGINT');
  const files = JSON.parse(readFileSync(list, 'utf8')) as string[];
  rmSync(folder, { recursive: true, force: true });
  return files.filter((file) => file.startsWith(`${ROOT}/`)).map((file) => file.slice(ROOT.length + 1));
}
