// `npm run rehearse` with the shop's files as shipped: production mode with the sandbox as the service, up to the refund of the
// first payment. going-live.test.ts has the problems that doctor finds on the way.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { copySources } from '../support/shop-copy';

const sources = copySources();
afterAll(sources.remove);
let temporary: string;
beforeAll(() => {
  temporary = mkdtempSync(join(tmpdir(), 'rehearse-test-'));
});
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** With a setting of ours that would fail the rehearsal, if it was used. */
function start() {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/local/rehearse.ts'], {
    cwd: sources.root,
    env: { PATH: process.env['PATH'], TMPDIR: temporary, TRUSTED_PROXIES: '10.0.0.1', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { child, ended: ended.then(([output, errors, [code]]) => ({ output, errors, code: Number(code) })) };
}
/** tsx keeps its cache there, for the next test as well. */
const left = () => readdirSync(temporary).filter((name) => !name.startsWith('tsx-'));

test('a rehearsal ends with the first payment and its refund, uses none of our settings, and leaves nothing', async () => {
  const { output, errors, code } = await start().ended;
  expect([code, output, errors]).toEqual([
    0,
    expect.stringContaining('Nothing failed.'),
    expect.stringContaining('Its refund'),
  ]);
  const items = [...output.matchAll(/^ {2}(to write|warning|by hand|failed) +([a-z ]+): /gm)];
  expect(items.map(([, state]) => state)).not.toContain('failed');
  // What is left is the shop's.
  expect(items.map(([, , name]) => name)).toEqual(expect.arrayContaining(['contracts', 'backups']));
  expect(output).not.toMatch(/first payment|first refund|test button/);
  expect(left()).toEqual([]);
});

test('an interrupted rehearsal ends with 130 and leaves nothing', async () => {
  const { child, ended } = start();
  await once(child.stderr, 'data');
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
  expect(left()).toEqual([]);
});
