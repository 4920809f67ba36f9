// One clock for sandbox and shop: a merchant that follows learns each move, and moving the sandbox alone is possible.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NOW, runSandbox, type Running } from '../../support/running-sandbox';

const DAY = 86_400;

let folder: string;
let sandbox: Running;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-clock-'));
  sandbox = await runSandbox({ dataDir: folder });
});
afterEach(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

const clock = async (): Promise<{ now: number; ahead_ms: number; shop_ahead_ms: number }> =>
  (await sandbox.control('GET', '/clock/shop')).body;
const ahead = async () => {
  const { now, ahead_ms: sandboxMs, shop_ahead_ms: shopMs } = await clock();
  return { now: now - NOW, sandbox: sandboxMs / 1000, shop: shopMs / 1000 };
};
const follow = (knownMs: number) => sandbox.control('GET', `/clock/shop?known_ms=${knownMs}`);

test('a move takes the shop along, is still there after a restart, and is undone by a reset', async () => {
  await sandbox.advance(DAY);
  const moved = { now: DAY, sandbox: DAY, shop: DAY };
  expect(await ahead()).toEqual(moved);
  await sandbox.close();
  sandbox = await runSandbox({ dataDir: folder });
  expect(await ahead()).toEqual(moved);
  await sandbox.control('DELETE', '/clock');
  expect(await ahead()).toEqual({ now: 0, sandbox: 0, shop: 0 });
});

test('the sandbox is moved alone, the pages say so, and the next move takes the shop along', async () => {
  await sandbox.control('POST', '/clock', { advance_seconds: DAY, sandbox_only: true });
  expect(await ahead()).toEqual({ now: DAY, sandbox: DAY, shop: 0 });
  const { text } = await sandbox.call('GET', '/console?lang=en');
  expect(text).toContain('1 day ahead, sandbox only)');
  await sandbox.advance(0);
  expect(await ahead()).toEqual({ now: DAY, sandbox: DAY, shop: DAY });
  for (const path of ['/console?lang=en', '/console/payments?lang=en', '/?lang=en'])
    expect((await sandbox.call('GET', path, undefined, { accept: 'text/html' })).text).toContain(
      '(1 day ahead)<',
    );
});

test('a merchant that follows learns of a move before the sandbox does what is due', async () => {
  const followed = follow(0);
  const told = followed.then(async ({ body }) => ({
    shop: body.shop_ahead_ms as number,
    // It asks again, and the sandbox goes on.
    again: await Promise.race([follow(body.shop_ahead_ms as number), Promise.resolve('waits')]),
    sandbox: body.ahead_ms as number,
  }));
  await sandbox.advance(DAY);
  expect(await told).toEqual({ shop: DAY * 1000, again: 'waits', sandbox: 0 });
  expect((await follow(0)).body.shop_ahead_ms).toBe(DAY * 1000);
});

test('the clocks can be put behind the real time, and are moved forward from there', async () => {
  const put = await sandbox.control('PUT', '/clock', { ahead_seconds: -30 * DAY });
  expect(put.body).toEqual({ now: NOW - 30 * DAY });
  expect(await ahead()).toEqual({ now: -30 * DAY, sandbox: -30 * DAY, shop: -30 * DAY });
  const { text } = await sandbox.call('GET', '/console?lang=en');
  expect(text).toContain('30 days behind');
  await sandbox.advance(30 * DAY);
  expect(await ahead()).toEqual({ now: 0, sandbox: 0, shop: 0 });
  expect((await sandbox.control('PUT', '/clock', { ahead_seconds: 1 })).status).toBe(400);
});

test('a token that was issued before the clock was put back is no longer accepted', async () => {
  await sandbox.advance(40 * DAY);
  expect((await sandbox.get('/payments/status/paid')).status).toBe(200);
  await sandbox.control('DELETE', '/clock');
  expect((await sandbox.get('/payments/status/paid')).status).toBe(401);
});
