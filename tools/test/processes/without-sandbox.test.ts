// The removal of the sandbox (docs/03-guides/9-testing.md) in a copy of the repository: no file of the merchant differs, and the rest
// needs no manual changes. tools/check-adopted.mjs runs the other checks of a repository without sandbox.

import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../../test/support/shop-copy';
import { copyRepository, removeCopy } from '../../proof/copy-repository';

const GUIDE = 'docs/03-guides/9-testing.md';

let copy: string;
jest.setTimeout(300_000);
beforeAll(async () => {
  copy = copyRepository('without-sandbox');
  expect(readFileSync(join(ROOT, GUIDE), 'utf8')).toContain('npm run tool -- without-sandbox\n');
  await run('npm', 'run', '--silent', 'tool', '--', 'without-sandbox');
});
afterAll(() => removeCopy(copy));

/** Throws an error with its output if it exits with another code than 0. */
async function run(command: string, ...args: string[]): Promise<void> {
  const settings = { cwd: copy, maxBuffer: 1 << 26, env: { ...process.env, FORCE_COLOR: '0' } };
  await promisify(execFile)(command, args, settings).catch(({ stdout, stderr }: Record<string, string>) => {
    throw new Error(`${command} ${args.join(' ')}\n${stdout}\n${stderr}`);
  });
}

test('no file of the merchant has changed, and no file of the sandbox is left', () => {
  const [ours, left] = [join(ROOT, 'src', 'merchant'), join(copy, 'src', 'merchant')];
  expect(spawnSync('diff', ['-rq', ours, left], { encoding: 'utf8' }).stdout).toBe('');
  expect(readdirSync(join(copy, 'src')).sort()).toEqual([
    'EXTENDING.md',
    'README.md',
    'generated',
    'merchant',
  ]);
  expect(readFileSync(join(copy, 'Dockerfile'), 'utf8')).not.toMatch(/sandbox-build/);
});

test('no guide and no text of a setting names `npm start`', () => {
  const guides = readdirSync(join(copy, 'docs', '03-guides')).map((name) => `docs/03-guides/${name}`);
  const texts = ['.env.example', 'docs/10-reference.md', ...guides];
  expect(texts.filter((path) => readFileSync(join(copy, path), 'utf8').includes('npm start'))).toEqual([]);
});

// It also finds an import that leads nowhere. The types of what is left cannot differ, because no file has changed.
test('npm run check -- unused passes', async () => {
  await run('npm', 'run', '--silent', 'check', '--', 'unused');
});

test('the tests that read files pass', async () => {
  const tests = readdirSync(join(copy, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => join('test', name))
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => /read(File|dir)Sync/.test(readFileSync(join(copy, path), 'utf8')));
  expect(tests).not.toEqual([]);
  // One worker, because each would load the whole program.
  await run('npx', 'jest', '--maxWorkers=1', ...tests);
});
