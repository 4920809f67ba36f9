// New cases for a person are posted to NOTICE_URL: at least once, at most one message a minute for each kind, and without
// delaying anything.

import type { ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import { notices } from '../../../src/merchant/options/notices/feature';
import { sendNotices } from '../../../src/merchant/options/notices/send-notices';
import { loadConfig } from '../../../src/merchant/settings';
import { PRODUCTION_ENVIRONMENT } from '../../support/config';
import { startHttpServer } from '../../support/http-server';
import { openForAll } from '../../support/open-between';
import { withPlans } from '../../support/subscriptions';
import { startContext } from '../../support/use-world';

const PUBLIC_URL = 'https://pay.shop.example';
const TOKEN = 'services-T0-token';
const accept = (response: ServerResponse) => response.end('ok');
/** A call that the test waits for. */
let answer: (response: ServerResponse) => unknown = accept;
const received: string[] = [];

const receiver = openForAll(() =>
  startHttpServer((request, response) => {
    if (request.method === 'POST') received.push((JSON.parse(request.body) as { text: string }).text);
    answer(response);
  }),
);
const running = openForAll(() => startContext({ NOTICE_URL: `${receiver.url}/${TOKEN}`, PUBLIC_URL }));
beforeEach(async () => {
  answer = accept;
  received.length = 0;
  await running.rows.query('truncate notices, discrepancies, charges, orders cascade');
});

/** Runs the job of the next minute, and returns the messages. */
async function nextMinute(timeoutMs?: number): Promise<string[]> {
  running.clock.advance(60);
  return send(timeoutMs);
}
async function send(timeoutMs = 30_000): Promise<string[]> {
  received.length = 0;
  await sendNotices(running.context, timeoutMs);
  return [...received].sort();
}

let number = 0;
async function addDiscrepancies(count: number, kind = 'amount_mismatch'): Promise<string[]> {
  number += count;
  const rows = await running.rows.query<{ id: string }>(
    `insert into discrepancies (kind, svc_uid, merchant_uid, expected, actual, first_seen_at, last_seen_at)
     select $1::discrepancy_kind, 'svc_' || n, 'order-of-hana-' || n, '1000', '999', now(), now()
     from generate_series($2::int, $3::int) n returning id`,
    [kind, number - count + 1, number],
  );
  return rows.map(({ id }) => String(id));
}
const decideAll = () =>
  running.rows.query(`update discrepancies set resolved_at = now(), resolution = 'ignored'`);

test('one case is told once, in both languages, with the page of the case and nothing personal', async () => {
  const [id = ''] = await addDiscrepancies(1);
  expect(await nextMinute()).toEqual([
    `확인이 필요한 일 1건: 불일치 (금액 불일치)\n1 new case needs a person: Discrepancies (Amount differs)\n${PUBLIC_URL}/operator/desk/discrepancies/${id}`,
  ]);
  expect(await nextMinute()).toEqual([]);
  await decideAll();
  await nextMinute();
  await addDiscrepancies(1);
  expect(await nextMinute()).toHaveLength(1);
});

test('a storm is one message with a count, and the next one of its kind is at least a minute later', async () => {
  await addDiscrepancies(700);
  await addDiscrepancies(1, 'dispute_opened');
  const [first, other] = await nextMinute();
  expect(first).toMatch(/^확인이 필요한 일 1건/);
  expect(other).toMatch(/700건.*\n700 new cases need a person: .*\n.*\/operator\/desk#of-amount_mismatch$/);
  await addDiscrepancies(3);
  expect(await send()).toEqual([]);
  expect(await nextMinute()).toEqual([expect.stringContaining('\n3 new cases')]);
  await addDiscrepancies(1500);
  expect(await nextMinute()).toEqual([expect.stringContaining('\n1500 new cases')]);
  expect(await nextMinute()).toEqual([]);
  await addDiscrepancies(10_000);
  expect(await nextMinute()).toEqual([expect.stringContaining('10000 or more new cases')]);
});

test('a charge without outcome and one for a person are cases, too', async () => {
  await running.rows.query(
    `insert into orders (merchant_uid, name, amount, currency, member_id, status, created_at, updated_at)
     select 'order-' || n, 'Tea', 1000, 'KRW', 'hana', 'open', now(), now() from generate_series(1, 2) n`,
  );
  await running.rows.query(
    `insert into charges (id, merchant_uid, kind, customer_uid, status, started_at, resolved_at)
     values ('one', 'order-1', 'again', 'key', 'needs_review', $1::timestamptz, $1), ('two', 'order-2', 'again', 'key', 'unknown', $1, null)`,
    [new Date(running.clock.nowMs() - 7_200_000)],
  );
  const told = await nextMinute();
  const lines = told.map((text) => text.split('\n')[1]);
  expect(lines.sort()).toEqual([
    '1 new case needs a person: Charges',
    '1 new case needs a person: Charges with unknown outcome',
  ]);
  expect(told.join()).not.toContain('hana');
});

withPlans('a plan that waits is a case, too, and its id is not told', async () => {
  await running.rows.query(
    `insert into subscriptions (subscription_id, customer_uid, member_id, name, amount, currency, "interval", first_payment_at,
       payment_at, check_at, needs_person, needs_person_since, created_at, updated_at)
     values ('plan-of-hana', 'key', 'hana', 'Tea', 1000, 'KRW', 'month', now(), now(), now() + interval '1 day', 'order_conflict',
       now(), now(), now())`,
  );
  const [told = '', ...others] = await nextMinute();
  expect(others).toEqual([]);
  expect(told).toContain('\n1 new case needs a person: Subscriptions\n');
  expect(told).not.toContain('hana');
  await running.rows.query('delete from subscriptions');
});

test.each<[string, (response: ServerResponse) => unknown, string]>([
  ['answers 500', (response) => response.writeHead(500).end(), 'http_500'],
  ['redirects', (response) => response.writeHead(302, { location: '/other' }).end(), 'redirected'],
  ['hangs', () => undefined, 'timeout'],
])('a receiver that %s gets it again, unless somebody has decided meanwhile', async (_, wrong, reason) => {
  await addDiscrepancies(2);
  answer = wrong;
  await nextMinute(reason === 'timeout' ? 300 : undefined);
  expect(running.log.events('notice_not_delivered').at(-1)).toMatchObject({
    kind: 'amount_mismatch',
    reason,
  });
  expect(JSON.stringify(running.log.events('notice_not_delivered'))).not.toContain(TOKEN);
  answer = accept;
  expect(await nextMinute()).toEqual([expect.stringContaining('\n2 new cases')]);
  await addDiscrepancies(1);
  answer = (response) => response.writeHead(500).end();
  await nextMinute();
  answer = accept;
  await decideAll();
  expect(await nextMinute()).toEqual([]);
});

test('after a kill between the message and the row, it is told again', async () => {
  await addDiscrepancies(1);
  await nextMinute();
  // As the process left it.
  await running.rows.query(`update notices set told = '{}'`);
  expect(await send()).toEqual([]);
  expect(await nextMinute()).toHaveLength(1);
});

test('in production a name that leads to a private network receives nothing', async () => {
  await addDiscrepancies(1);
  const { context } = running;
  const url = receiver.url.replace('127.0.0.1', hostname());
  const values = { ...context.config.values, NOTICE_URL: url };
  running.clock.advance(60);
  await sendNotices({ ...context, config: { ...context.config, production: true, values } });
  expect(received).toEqual([]);
  expect(running.log.events('notice_not_delivered').at(-1)).toMatchObject({ reason: 'private_address' });
});

test('doctor says whether it is set, and whether something answers there; without it nothing is sent', async () => {
  const check = (changes: object) =>
    notices.check?.({ ...running.context, config: { ...running.context.config, values: changes } } as never);
  const withUrl = (url?: string) => ({ ...running.context.config.values, NOTICE_URL: url });
  expect(await check(withUrl(`${receiver.url}/${TOKEN}`))).toMatchObject({ state: 'ok' });
  answer = (response) => response.writeHead(405).end();
  expect(await check(withUrl(receiver.url))).toMatchObject({
    state: 'ok',
    says: expect.stringContaining('answers'),
  });
  const unreachable = await check(withUrl(`http://127.0.0.1:1/${TOKEN}`));
  expect(unreachable).toMatchObject({ state: 'warning', says: expect.stringContaining('unreachable') });
  expect(JSON.stringify(unreachable)).not.toContain(TOKEN);
  expect(await check(withUrl())).toMatchObject({ state: 'ok', says: expect.stringContaining('not set') });
  await addDiscrepancies(1);
  const config = { ...running.context.config, values: withUrl() };
  running.clock.advance(60);
  await sendNotices({ ...running.context, config });
  expect(received).toEqual([]);
});

test.each([
  ['http://chat.example/x', 'must be https in production'],
  ['https://10.0.0.7/x', 'a private network'],
  ['https://me:word@chat.example/x', 'without credentials'],
  ['ftp://chat.example/x', 'must be an http(s) URL'],
])('%s is refused in production, and no problem shows it', (url, problem) => {
  let shown = '';
  try {
    loadConfig({ ...PRODUCTION_ENVIRONMENT, NOTICE_URL: url });
  } catch (error) {
    shown = (error as Error).message;
  }
  expect(shown).toContain('NOTICE_URL');
  expect(shown).toContain(problem);
  expect(shown).not.toContain(url);
});
