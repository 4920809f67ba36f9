// Every text of the database is markup, and so is what an operator types: every page escapes it, with every section that it can have.

import { signedIn, type OperatorBrowser } from '../../support/browsers';
import { CANCEL_PAYMENT, payForNobody, payTwice } from '../../support/discrepancies';
import { registerKey } from '../../support/keys';
import { escapedIn, fillWithMarkup, MARKUP } from '../../support/markup';
import { charge, getOrder, newUid, registerOrder, sendNotification } from '../../support/orders';
import { ROUTE_ACCESS } from '../../support/route-access';
import { useWorld } from '../../support/use-world';
import { makeAccount, signInAs } from './accounts-setup';

const world = useWorld({ environment: { REFUND_LIMIT: '10' } });
let kim: OperatorBrowser;
const ids: Record<string, string> = {};

/** One of everything that a page can show, and of each what waits for a person. */
beforeAll(async () => {
  const { customerUid, memberId } = await registerKey(world);
  const uid = await registerOrder(world, newUid(), { member_id: memberId });
  expect((await charge(world, uid, customerUid)).status).toBe(200);
  const svcUid = (await getOrder(world, uid)).payments[0].svc_uid as string;
  const refund = { amount: 1, checksum: 1000, reason: 'x' };
  expect((await world.api('POST', `/api/payments/${svcUid}/cancel`, refund)).status).toBe(200);
  const { id } = await payForNobody(world, newUid());
  const twice = await payTwice(world, newUid());
  const resolved = { resolution: 'accepted', by: 'lee', note: 'x' };
  expect((await world.api('POST', `/api/discrepancies/${twice.id}/resolve`, resolved)).status).toBe(200);
  Object.assign(ids, { payable: twice.first, resolved: twice.id });
  await sendNotification(world, 'svc_unknown', uid);
  Object.assign(ids, {
    customer_uid: customerUid,
    member_id: memberId,
    merchant_uid: uid,
    svc_uid: svcUid,
    id,
  });
  Object.assign(ids, { kind: 'unknown_order', event_id: `${uid}:1` });
  kim = await signedIn(world, { by: 'kim' });
  await kim.post(`/operator/payments/${svcUid}/dispute`, { amount: '5', note: 'x' });
  for (const path of [`orders/${uid}`, `desk/discrepancies/${id}`])
    expect((await kim.post(`/operator/${path}/note`, { note: 'x' })).status).toBe(303);
  await world.rows.query(
    `insert into charges (id, merchant_uid, kind, customer_uid, status, started_at)
     values ('waitingforaperson', (select merchant_uid from discrepancies join orders using (merchant_uid) limit 1), 'again', $1, 'needs_review', now())`,
    [customerUid],
  );
  await world.rows.query(
    `insert into refunds (svc_uid, amount, cancelled_before, cancel_reason, status, started_at)
     values ('svc_x', 1, 0, 'x', 'needs_review', now())`,
  );
  await world.rows.query(
    `update billing_key_issuances set status = 'needs_review', resolved_at = now() where customer_uid = $1`,
    [customerUid],
  );
  await world.rows.query(
    `insert into refund_requests (svc_uid, amount, balance, reason, needs_account, requested_by, requested_at)
     values ($1, 5, 999, 'x', true, 'kim', now())`,
    [svcUid],
  );
  await world.rows.query(
    `insert into notes (subject, subject_id, written_by, text, written_at)
     select subject::note_subject, id, 'kim', 'x', now() from (
       select 'charge', 'waitingforaperson' union select 'refund', max(id)::text from refunds
       union select 'issuance', max(id)::text from billing_key_issuances) of (subject, id)`,
  );
  await world.rows.query(
    `insert into subscriptions (subscription_id, customer_uid, member_id, name, amount, currency, "interval", first_payment_at,
       payment_at, check_at, needs_person, needs_person_since, created_at, updated_at)
     values ('plan', $1, $2, 'x', 1000, 'KRW', 'month', now(), now(), now() + interval '1 day', 'order_not_paid', now(), now(), now())`,
    [customerUid, memberId],
  );
  await world.rows.query(
    `insert into orders (merchant_uid, name, amount, currency, member_id, created_at, updated_at) values ('planned', 'x', 1, 'KRW', $1, now(), now())`,
    [memberId],
  );
  await world.rows.query(
    `insert into charges (id, merchant_uid, kind, customer_uid, schedule_at, status, started_at)
     values ('planned', 'planned', 'schedule', $1, now() + interval '1 day', 'scheduled', now())`,
    [customerUid],
  );
  await world.rows.query(
    `insert into api_keys (name, hash, scopes, created_at) values ('x', repeat('a', 64), '{read}', now())`,
  );
  await makeAccount(world, 'boss', 'admin');
  kim = (await signInAs(world, 'boss')).browser;
  expect(await fillWithMarkup(world.rows)).toBeGreaterThan(50);
});

const pages = () =>
  ROUTE_ACCESS.filter(
    ({ method, path }) =>
      method === 'get' &&
      path.startsWith('/operator') &&
      !path.endsWith('.csv') &&
      !path.endsWith('/sign-in'),
  ).map(({ path }) =>
    path
      .replace('subscriptions/{id}', 'subscriptions/plan')
      .replace('desk/{kind}/{id}', 'desk/discrepancies/{id}')
      .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? '')),
  );

/** How many texts of somebody else these pages show at least. A page that shows fewer would prove less. */
const LEAST: [page: RegExp, count: number][] = [
  [/\/orders\/.$/, 20],
  [/\/payments\/./, 20],
  [/\/(notifications|payments|ledger|members\/.*)$/, 8],
  [/\/discrepancies$/, 6],
  [/\/desk(\/.*)?$|\/(orders|charges|refunds|issuances|keys|api-keys)$/, 2],
];

test('no page shows a text of the database as markup', async () => {
  const queue = (await kim.get('/operator/desk?lang=en')).html;
  const items = [...queue.matchAll(/href="(\/operator\/desk\/[\w-]+\/\w+)\?/g)].map(([, path = '']) => path);
  expect(new Set(items.map((path) => path.split('/')[3])).size).toBeGreaterThan(4);
  const all = [...pages(), ...items];
  expect(all.length).toBeGreaterThan(20);
  for (const path of all) {
    // It leads to the page of the member.
    if (path.startsWith('/operator/keys/')) continue;
    const shown = escapedIn(path, await kim.get(`${path}?lang=en`));
    // The name of the operator is on each.
    const least = LEAST.find(([page]) => page.test(path))?.[1] ?? 1;
    expect([path, shown >= least]).toEqual([path, true]);
  }
});

test('the id of a member, the reasons of a decision and the words of the service are escaped too', async () => {
  const uid = await registerOrder(world, newUid(), { member_id: MARKUP });
  const ofMember = [`orders/${uid}`, 'orders', `members/${encodeURIComponent(MARKUP)}`];
  for (const path of [...ofMember, `desk/discrepancies/${ids['resolved']}`])
    expect([path, escapedIn(path, await kim.get(`/operator/${path}`)) > 1]).toEqual([path, true]);
  const body = { code: 1, message: `${MARKUP} refused` };
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind: 'status', status: 200, body, times: 1 });
  const refund = { how: 'part', amount: '1', checksum: '1000', reason: 'x' };
  const refused = await kim.post(`/operator/payments/${ids['payable']}/refund`, refund);
  expect(refused.html).toContain('&#39;&amp; refused');
  expect(escapedIn('refused', refused, 400)).toBeGreaterThan(1);
});

test('what was typed into a search, a filter or an address is escaped', async () => {
  const typed = encodeURIComponent(MARKUP);
  const shows = async (path: string, status = 200) => escapedIn(path, await kim.get(path), status);
  expect(await shows(`/operator/search?q=${typed}`)).toBeGreaterThan(0);
  expect(await shows(`/operator/orders?merchant_uid=${typed}`, 400)).toBeGreaterThan(0);
  for (const filter of ['from', 'status', 'sort', 'after', 'nothing'])
    await shows(`/operator/orders?${filter}=${typed}`, 400);
  await shows(`/operator/orders?lang=${typed}&done=${typed}`);
  for (const path of ['payments', 'orders', 'desk/discrepancies', 'nothing'])
    await shows(`/operator/${path}/${typed}`, 404);
  const stranger = await signInAs(world, MARKUP, { password: MARKUP });
  expect(escapedIn('sign-in', stranger.answer, 403)).toBeGreaterThan(0);
  escapedIn(
    'sign-in',
    await stranger.browser.get(`/operator/sign-in?to=${encodeURIComponent(`/operator/"${MARKUP}`)}`),
  );
});

test('what was typed into a form that is refused is escaped where it is shown again', async () => {
  const { svc_uid: svcUid, id, payable } = ids;
  const forms: [path: string, fields: Record<string, string>, status: number][] = [
    [
      `payments/${svcUid}/refund/check`,
      { how: 'part', amount: MARKUP, reason: MARKUP, checksum: '999' },
      400,
    ],
    [`payments/${svcUid}/refund/check`, { how: 'part', amount: '1', reason: MARKUP, checksum: '999' }, 200],
    [
      `payments/${payable}/refund/check`,
      { how: 'part', amount: MARKUP, tax_free: MARKUP, reason: MARKUP, checksum: '1000' },
      400,
    ],
    [`payments/${payable}/dispute`, { amount: MARKUP, note: MARKUP }, 400],
    [`desk/discrepancies/${id}/note`, { note: MARKUP.repeat(99) }, 400],
    [`desk/discrepancies/${id}/resolve`, { resolution: MARKUP, note: MARKUP }, 400],
    [`desk/discrepancies/${id}/refund/check`, { reason: MARKUP.repeat(99) }, 400],
    [
      'desk/kinds/unknown_order/resolve',
      { resolution: 'ignored', note: MARKUP, which: 'selected', shown: '' },
      400,
    ],
    ['accounts', { name: MARKUP, role: MARKUP }, 400],
    ['me/password', { current: MARKUP, next: MARKUP }, 400],
  ];
  let shown = 0;
  for (const [path, fields, status] of forms)
    shown += escapedIn(path, await kim.post(`/operator/${path}?lang=en`, fields), status);
  expect(shown).toBeGreaterThan(12);
});
