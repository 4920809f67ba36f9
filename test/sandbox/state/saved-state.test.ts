// The state is the same after a restart, both from the files of a clean stop and from those of a killed process.

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxConfig } from '../../../src/sandbox/config';
import { CARD } from '../../support/cards';
import { NOW, runReceiver, runSandbox, type Running } from '../../support/running-sandbox';

let folder: string;
let service: Running;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-state-'));
  service = await runSandbox({ dataDir: folder });
});
afterEach(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

async function restart(config: Partial<SandboxConfig> = {}) {
  await service.close();
  service = await runSandbox({ dataDir: folder, ...config });
}
const statusOf = async (path: string) => (await service.get(path)).status;
const total = async () => (await service.get('/payments/status/all')).body.response.total;

test('keeps payments with all the ways to find them, keys, deletions, amounts, settings, the clock and the token', async () => {
  const paid = await service.pay({ customer_uid: 'card-1', custom_data: '{"a":1}', amount: 3_000_000_000 });
  await service.control('POST', `/payments/${paid.svc_uid}/tamper`, { merchant_uid: 'forged' });
  await service.pay({ merchant_uid: 'easy', pay_method: 'kakaopay', escrow: true });
  const { svc_uid } = await service.pay({ merchant_uid: 'account', outcome: 'virtual_account' });
  await service.control('POST', `/payments/${svc_uid}/deposit`);
  await service.control('POST', `/payments/${svc_uid}/cancel`, { amount: 10, reason: '일부' });
  await service.settings({ test_channel: true });
  const hidden = await service.pay({ merchant_uid: 'hidden' });
  await service.control('POST', `/payments/${hidden.svc_uid}/cancel`);
  await service.settings({ test_channel: false, generation: 'newer' });
  await service.issueKey('card-2');
  await service.remove('/subscribe/customers/card-2');
  await service.post('/payments/prepare', { merchant_uid: 'prepared', amount: 1000 });
  await service.advance(100);
  const token = await service.signIn();
  const paths = {
    '/payments/find/forged': 200,
    '/payments/find/order-1': 404,
    '/payments/find/easy': 200,
    [`/payments/${svc_uid}`]: 200,
    [`/payments/${hidden.svc_uid}`]: 404,
    '/payments/status/all?sorting=-updated': 200,
    '/payments/status/all?include_sandbox=true': 200,
    '/payments/status/cancelled': 200,
    '/subscribe/customers/card-1/payments': 200,
    '/subscribe/customers/card-1': 200,
    '/subscribe/customers/card-2': 404,
    '/payments/prepare/prepared': 200,
    '/_sandbox/clock': 200,
  };
  const ask = async () => {
    const answers: unknown[] = [];
    for (const [path, expected] of Object.entries(paths)) {
      const { status, body } = await service.get(path);
      expect([path, status]).toEqual([path, expected]);
      answers.push(body);
    }
    return answers;
  };
  const before = await ask();
  // Settings that were not changed are those of the new start.
  await restart({ webhookUrl: 'http://127.0.0.1:9/new' });
  expect(await service.signIn()).toBe(token);
  expect(await ask()).toEqual(before);
  const settings = { generation: 'newer', webhook_url: 'http://127.0.0.1:9/new' };
  expect((await service.control('GET', '/settings')).body).toMatchObject(settings);
  const another = await service.control('POST', '/payments', { merchant_uid: 'prepared', amount: 1 });
  expect(another.status).toBe(409);
});

test('goes on with schedules and resends that were waiting', async () => {
  const receiver = await runReceiver(() => (receiver.received.length === 1 ? 500 : 200));
  await service.settings({ webhook_url: receiver.url, legacy_sends: 2 });
  await service.pay();
  await service.notifications();
  const schedules = [{ merchant_uid: 'sub-1', schedule_at: NOW + 90, amount: 10 }];
  await service.post('/subscribe/payments/schedule', { customer_uid: 'card-1', schedules, ...CARD });
  await restart();
  await service.advance(120);
  expect(receiver.bodies().map(({ merchant_uid }) => merchant_uid)).toEqual(['order-1', 'order-1', 'sub-1']);
  expect((await service.notifications()).map((each) => each.attempts.length)).toEqual([2, 1]);
  await receiver.close();
});

test('is there after a kill: what was answered is read back, what was cut off is left out, in files of its owner alone', async () => {
  const { svc_uid } = await service.pay();
  await service.issueKey('card-1');
  const files = ['payments.columns', 'payments.rows', 'journal.jsonl'].map((file) => join(folder, file));
  for (const file of files) expect([file, statSync(file).mode & 0o077]).toEqual([file, 0]);
  const left = files.map((file) => [file, readFileSync(file)] as const);
  await service.close();
  for (const [file, content] of left)
    writeFileSync(file, Buffer.concat([content, Buffer.from('["billing_key","card-9",{"customerU')]));
  service = await runSandbox({ dataDir: folder });
  expect(await statusOf(`/payments/${svc_uid}`)).toBe(200);
  expect(await statusOf('/subscribe/customers/card-1')).toBe(200);
  expect(await total()).toBe(1);
  await service.pay({ merchant_uid: 'order-2' });
  await service.issueKey('card-2');
  await restart();
  expect(await statusOf('/payments/find/order-2')).toBe(200);
  expect(await statusOf('/subscribe/customers/card-2')).toBe(200);
});
