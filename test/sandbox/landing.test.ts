// The landing page and the ten curl calls of the getting-started page.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { defaultConfig } from '../../src/sandbox/config';
import { firstCalls } from '../../src/sandbox/console/first-calls';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/start-sandbox';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ config: { port: 0 } });
});
afterAll(() => sandbox.close());

const read = (path: string, accept: string) => fetch(sandbox.url + path, { headers: { accept } });

test('a browser is shown what is here, in two languages, and a program gets JSON as before', async () => {
  for (const path of ['/', '/?lang=en']) {
    const html = await (await read(path, 'text/html,*/*;q=0.8')).text();
    for (const [, href = ''] of html.matchAll(/ href="(\/(?:console|window)[^"]*)"/g)) {
      const answer = await read(href.replaceAll('&amp;', '&'), 'text/html');
      expect([href, answer.status]).toEqual([href, 200]);
    }
  }
  const answer = await read('/', '*/*');
  expect([answer.status, await answer.json()]).toMatchObject([404, { code: -1, message: 'path: unknown' }]);
});

test('an unknown address is a page for a browser; a receipt shows what was paid and what was cancelled', async () => {
  const unknown = await read('/nothing?lang=en', 'text/html');
  expect([unknown.status, await unknown.text()]).toEqual([404, expect.stringContaining('Page not found')]);
  expect(await (await read('/nothing', 'application/json')).json()).toMatchObject({ code: -1 });
  const control = async (path: string, fields: object) => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(fields) };
    return (await (await fetch(`${sandbox.url}/_sandbox/payments${path}`, init)).json()) as Record<
      string,
      string
    >;
  };
  const { svc_uid: svcUid, receipt_url: receipt = '' } = await control('', {
    merchant_uid: 'receipt-1',
    amount: 900,
  });
  await control(`/${svcUid}/cancel`, { amount: 200, reason: 'Broken <cup>' });
  const { pathname } = new URL(receipt);
  for (const [path, money] of [
    [`${pathname}?lang=en`, '₩900'],
    [`${pathname}?lang=ko`, '900원'],
    [`${pathname}/cancel/1?lang=en`, '₩200'],
    [`${pathname}/cancel/1?lang=en`, 'Broken &lt;cup&gt;'],
  ] as const)
    expect([path, await (await read(path, 'text/html')).text()]).toEqual([
      path,
      expect.stringContaining(money),
    ]);
  const failed = await control('', { merchant_uid: 'receipt-2', amount: 900, outcome: 'failed' });
  for (const path of [`${pathname}/cancel/2`, `/receipts/${failed['svc_uid']}`, '/receipts/svc_1'])
    expect([path, (await read(path, 'text/html')).status]).toEqual([path, 404]);
});

test('those who begin are given ten calls, and each succeeds as it stands', async () => {
  const lines = firstCalls(defaultConfig, sandbox.url).map(({ line }) => line);
  expect(lines).toHaveLength(10);
  // What each prints stands on a line of its own; the first one prints nothing.
  const script = `set -e\n${lines.map((line) => `${line}\necho`).join('\n')}`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script]);
  const printed = stdout.trim().split('\n').filter(Boolean);
  expect(printed.map((line) => JSON.parse(line))).toMatchObject([
    { webhook_url: 'http://localhost:8080/webhooks/payments' },
    { status: 'paid' },
    { response: { merchant_uid: 'order-1' } },
    { code: 0 },
    { code: 0, response: { status: 'paid' } },
    { response: [{ merchant_uid: 'order-3' }] },
    { now: expect.any(Number) },
    { kind: 'lost_response' },
    { notifications: expect.arrayContaining([expect.anything()]) },
  ]);
});

test('beside a shop the calls leave its address for notifications alone; a changed one is shown, with the way back', async () => {
  const webhookUrl = 'http://127.0.0.1:9/webhooks/payments';
  const linked = await startSandbox({ config: { port: 0, webhookUrl } });
  const page = async () => (await fetch(`${linked.url}/console/start?lang=en`)).text();
  const settings = async (): Promise<unknown> => (await fetch(`${linked.url}/_sandbox/settings`)).json();
  try {
    const before = await page();
    expect(before).toContain(`together with the shop at ${webhookUrl}`);
    expect(before).not.toMatch(/localhost:8080|do not reach the shop/);
    await fetch(`${linked.url}/_sandbox/settings`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: '{"webhook_url":"http://localhost:8080/webhooks"}',
    });
    expect(await page()).toContain('do not reach the shop');
    const [, restore = ''] = /action="(\/console\/settings\/address[^"]*)"/.exec(await page()) ?? [];
    await fetch(linked.url + restore, { method: 'POST', redirect: 'manual' });
    expect(await settings()).toMatchObject({ webhook_url: webhookUrl });
    expect(await page()).not.toContain('do not reach the shop');
  } finally {
    await linked.close();
  }
});

test('changed credentials are not shown', () => {
  const config = { ...defaultConfig, serviceKey: 'chosen-1', serviceSecret: 'chosen-2', namePrefix: 'abc' };
  const [first] = firstCalls(config, 'http://localhost:4010');
  expect(first?.line).not.toContain('chosen');
  expect(first?.line).toContain('-d "abc_key=$SERVICE_KEY" -d "abc_secret=$SERVICE_SECRET"');
});
