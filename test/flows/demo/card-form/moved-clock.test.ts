// What is on the real clock while shop and sandbox are moved: retries, signatures, sessions, limits and one-time links. The
// shop's business is on the moved one.

import { Webhook } from 'standardwebhooks';
import { startMerchant, type RunningMerchant } from '../../../../src/merchant/start-merchant';
import { defaultConfig } from '../../../../src/sandbox/config';
import { createMemberBrowser } from '../../../support/browsers';
import { callApi } from '../../../support/calls';
import { CARD_FORM } from '../../../support/cards';
import { OPERATOR_PASSWORD, testConfig } from '../../../support/config';
import { eventually } from '../../../support/eventually';
import { startHttpServer } from '../../../support/http-server';
import { keyOf } from '../../../support/keys';
import { openForAll } from '../../../support/open-between';
import { hasOption } from '../../../support/options';
import { paySilently, registerOrder } from '../../../support/orders';
import { FETCH_PAYMENT } from '../../../support/sandbox-controls';
import { EVENTS_SECRET } from '../../../support/shop-events';
import { useWorld } from '../../../support/use-world';

const world = useWorld();
const DAY = 86_400;

type Sent = { headers: Record<string, string>; body: string };
const received: Sent[] = [];
let answer = 503;
const receiver = openForAll(() =>
  startHttpServer(({ headers, body }, response) => {
    received.push({ headers: headers as Record<string, string>, body });
    response.writeHead(answer).end();
  }),
);

let merchant: RunningMerchant;
const place = { url: '' };
beforeEach(async () => {
  received.length = 0;
  answer = 503;
  const config = testConfig({
    DATABASE_URL: world.databaseUrl,
    SERVICE_BASE_URL: world.sandbox.url,
    SERVICE_V2_BASE_URL: world.sandbox.url,
    ORDER_EVENTS_URL: receiver.url,
    ORDER_EVENTS_SECRET: EVENTS_SECRET,
    WEBHOOK_SECRET: defaultConfig.webhookSecret,
  });
  merchant = await startMerchant({ config, clock: world.clock, logger: world.log.logger, role: 'web' });
  place.url = `http://127.0.0.1:${merchant.port}`;
  await world.sandbox.settings({ webhook_url: `${place.url}/webhooks/payments` });
});
afterEach(async () => {
  await world.sandbox.call('DELETE', '/clock');
  await merchant.close();
});

const api = (method: string, path: string, body?: unknown) => callApi(place.url, method, path, body);
const showsAhead = async () => (await createMemberBrowser(place).get('/terms')).html.includes('moved-clock');

async function moveOn(seconds: number): Promise<void> {
  await world.sandbox.advance(seconds);
  await eventually(showsAhead);
}

async function moveBack(): Promise<void> {
  await world.sandbox.call('DELETE', '/clock');
  await eventually(async () => !(await showsAhead()));
}

/** Runs jobs as the job engine would a little later in real time. */
async function runJobs(names: string[], seconds = 0): Promise<void> {
  world.clock.advance(seconds);
  await world.rows.query('select graphile_worker.add_job(name) from unnest($1::text[]) as names (name)', [
    names,
  ]);
  await merchant.runDueJobs();
}

async function payOrder(): Promise<string> {
  const uid = await registerOrder({ api });
  await paySilently(world, uid, { notify: true });
  return uid;
}

test('O13 events that wait for a URL are signed with real time, and are delivered soon after the clock was put back', async () => {
  await moveOn(40 * DAY);
  const uid = await payOrder();
  await runJobs(['deliver-events']);
  expect(received.length).toBeGreaterThan(0);
  await moveBack();
  answer = 204;
  await runJobs(['deliver-events'], 6);
  const deliveries = await world.rows.query(
    `select d.delivered_at is not null as is_delivered from event_deliveries d join events e on e.id = d.event_id
     where e.stream = $1 and d.target = 'url'`,
    [uid],
  );
  expect(deliveries).toEqual([{ is_delivered: true }]);
  for (const { headers, body } of received)
    expect(() => new Webhook(EVENTS_SECRET).verify(body, headers)).not.toThrow();
});

test('a signed notification carries real time while the clock is moved, and is accepted', async () => {
  await world.sandbox.settings({ generation: 'newer', newer_signed: true });
  await moveOn(40 * DAY);
  const uid = await payOrder();
  const { notifications } = await world.sandbox.notifications();
  const [attempt] = notifications.at(-1).attempts;
  const { 'webhook-timestamp': signedAt } = attempt.request.headers as Record<string, string>;
  expect(Math.abs(Number(signedAt) * 1000 - Date.now())).toBeLessThan(5 * 60_000);
  expect([attempt.answer.status, (await api('GET', `/api/orders/${uid}`)).body.status]).toEqual([
    200,
    'paid',
  ]);
  await world.sandbox.settings({ generation: 'legacy', newer_signed: false });
});

test('operator, member, form and card link outlast every move of the clock', async () => {
  const operator = createMemberBrowser(place);
  const member = createMemberBrowser(place);
  const other = createMemberBrowser(place);
  const signIn = () => operator.post('/operator/sign-in', { by: 'kim', password: OPERATOR_PASSWORD });
  const linkOf = async () => (await api('POST', '/api/members/member-7/card-link')).body.url as string;
  const open = async (link: string) =>
    (await other.post('/cards/link', { token: new URL(link).searchParams.get('token') ?? '' })).status;
  const hasOperator = hasOption('operator');
  const hasLinks = hasOption('card-links');

  if (hasOperator) await signIn();
  const [form, link] = [await member.openForm(), hasLinks && (await linkOf())];
  await moveOn(40 * DAY);
  if (hasOperator) expect((await operator.get('/operator/orders')).status).toBe(200);
  expect((await member.post('/cards', { ...form, ...CARD_FORM })).location).toBe('/cards');
  if (link) expect(await open(link)).toBe(303);

  if (hasOperator) await signIn();
  const [movedForm, movedLink] = [await member.openForm(), hasLinks && (await linkOf())];
  await moveBack();
  if (hasOperator) expect((await operator.get('/operator/orders')).status).toBe(200);
  const registered = await member.post('/cards', { ...movedForm, ...CARD_FORM, register_again: 'on' });
  expect(registered.location).toBe('/cards');
  if (movedLink) expect(await open(movedLink)).toBe(303);
});

test('nothing waits for a date that was moved away: notifications, pauses, erasures, plans, attempts and removals', async () => {
  await moveOn(40 * DAY);
  const member = createMemberBrowser(place);
  const { customerUid } = await member.register();
  const [key] = await world.rows.query('select member_id from billing_keys where customer_uid = $1', [
    customerUid,
  ]);
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503 });
  const uid = await payOrder();
  await world.sandbox.fault({ endpoint: 'POST /subscribe/payments/schedule', kind: 'status', status: 503 });
  const plan = {
    subscription_id: 'plan-of-the-moved-clock',
    customer_uid: customerUid,
    member_id: key?.['member_id'],
    name: 'Tea',
    amount: 1000,
    interval: 'month',
    first_payment_at: new Date(Date.now() + 50 * DAY * 1000).toISOString(),
  };
  expect((await api('POST', '/api/subscriptions', plan)).status).toBe(201);
  await moveBack();
  const due = await world.rows.query(`
    select 'notification' as what, next_attempt_at as at from notifications where next_attempt_at is not null
    union all select 'pause', until from service_pauses
    union all select 'plan', check_at from subscriptions
    union all select 'job', run_at from graphile_worker._private_jobs`);
  expect(due.map(({ what }) => what)).toEqual(expect.arrayContaining(['notification', 'plan']));
  const soon = Date.now() + DAY * 1000;
  for (const { what, at } of due) expect([what, Number(at) < soon]).toEqual([what, true]);
  await world.sandbox.clearFaults();
  await runJobs(['retry-due-notifications', 'advance-subscriptions'], 20);
  expect((await api('GET', `/api/orders/${uid}`)).body.status).toBe('paid');
  // Both were left by a process that died while the clock was moved.
  await world.rows.query(
    `update billing_keys set status = 'removing', updated_at = now() + interval '40 days' where customer_uid = $1`,
    [customerUid],
  );
  await world.rows.query(`
    insert into refunds (svc_uid, amount, cancelled_before, cancel_reason, status, started_at)
    select svc_uid, 1000, 0, 'test', 'pending', now() + interval '40 days' from payments where merchant_uid = '${uid}'`);
  await runJobs(['recover-removals', 'recover-unresolved-attempts']);
  const { updated_at: triedAt } = (await keyOf(world, customerUid)) ?? {};
  expect(Number(triedAt)).toBeLessThan(soon);
  const polls = `select key from graphile_worker._private_jobs where key like 'recover-refund-%'`;
  expect(await world.rows.query(polls)).toHaveLength(1);
});
