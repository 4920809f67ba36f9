// The back office, as plain requests without JavaScript: pages of an order, a customer and a subscription, lists with totals and
// sorting, and the search.

import { useOperator } from '../../support/browsers';
import { codeOf } from '../../support/calls';
import { payForNobody } from '../../support/discrepancies';
import { registerKey } from '../../support/keys';
import { hasOption } from '../../support/options';
import { BUYER, charge, newUid, registerOrder } from '../../support/orders';
import { subscribe, useKey, withPlans } from '../../support/subscriptions';
import { useWorld } from '../../support/use-world';

const world = useWorld();
const kim = useOperator(world, 'kim');
const key = useKey(world);

const open = async (path: string) => {
  const { status, html } = await kim.get(`/operator${path}${path.includes('?') ? '&' : '?'}lang=en`);
  expect([path, status]).toEqual([path, 200]);
  return html;
};
const expectTexts = (html: string, texts: readonly string[]) =>
  expect(texts.filter((text) => !html.includes(text))).toEqual([]);
const link = (path: string) => `href="/operator/${path}?lang=en"`;

/** An order of a member that the key has paid. */
async function buy(changes: Record<string, unknown> = {}, { customerUid, memberId } = key) {
  const uid = await registerOrder(world, newUid(), { member_id: memberId, buyer: BUYER, ...changes });
  await charge(world, uid, customerUid);
  const [payment] = await world.rows.query<{ svc_uid: string; apply_num: string }>(
    'select svc_uid, apply_num from payments where merchant_uid = $1',
    [uid],
  );
  if (!payment) throw new Error('The order was not paid.');
  return { uid, svcUid: payment.svc_uid, approval: payment.apply_num };
}

const refund = (svcUid: string, amount: number, balance: number) =>
  world.api('POST', `/api/payments/${svcUid}/cancel`, { amount, checksum: balance, reason: 'broken' });

test('the page of an order shows buyer, payments, refunds, notes and history, and leads to each', async () => {
  const { uid, svcUid } = await buy();
  await refund(svcUid, 300, 1000);
  const noted = await kim.post(`/operator/orders/${uid}/note`, { note: 'calls back <b>' });
  expect(noted.location).toBe(`/operator/orders/${uid}?done=noted`);
  const html = await open(`/orders/${uid}`);
  expectTexts(html, [link(`payments/${svcUid}`), link(`members/${key.memberId}`)]);
  expectTexts(html, [
    BUYER.name,
    BUYER.tel,
    '₩1,000',
    '₩300',
    'broken',
    'calls back &lt;b&gt;',
    'order.paid',
  ]);
  expect((await kim.get('/operator/orders/no-such-order')).status).toBe(404);
  expect((await kim.post('/operator/orders/no-such-order/note', { note: 'x' })).status).toBe(404);
});

test('a key that nobody asked for is given to a customer, or deleted at the service, by the form of its case', async () => {
  const caseOf = async (customerUid: string) => {
    await world.sandbox.pay({ merchant_uid: customerUid, customer_uid: customerUid, amount: 0 });
    const [row] = await world.rows.query<{ id: string }>(
      'select id from discrepancies where merchant_uid = $1',
      [customerUid],
    );
    return `/desk/discrepancies/${row?.id}`;
  };
  const decide = (path: string, fields: Record<string, string>) =>
    kim.post(`/operator${path}/billing-key`, { note: 'called', member_id: '', ...fields });
  const [given, deleted] = [await caseOf('key-to-give'), await caseOf('key-to-delete')];
  expectTexts(await open(given), [
    'Give it to a customer',
    'Delete it at the payment service',
    'key-to-give',
  ]);
  const nobody = await decide(given, { outcome: 'given', lang: 'en' });
  expect([nobody.status, nobody.html]).toEqual([400, expect.stringContaining('open id="refused"')]);
  const withoutReason = await decide(given, { outcome: 'given', member_id: 'hana', note: '' });
  expect([withoutReason.status, withoutReason.html]).toEqual([400, expect.stringContaining('value="hana"')]);
  const done = await decide(given, { outcome: 'given', member_id: 'hana' });
  expect([done.status, done.location]).toEqual([303, expect.stringContaining('done=settled')]);
  expectTexts(await open('/members/hana'), ['key-to-give']);
  expect((await decide(deleted, { outcome: 'deleted' })).status).toBe(303);
  const atService = world.api('GET', '/api/billing-keys?customer_uid[]=key-to-delete');
  expect(await codeOf(atService)).toEqual([404, 'billing_key_not_found']);
  expect((await decide(deleted, { outcome: 'deleted' })).status).toBe(409);
  const { body: decided } = await world.api('GET', '/api/discrepancies?kind=unknown_billing_key');
  expect(decided.list).toMatchObject([
    { resolution: 'key_deleted', resolved_by: 'kim' },
    { resolution: 'key_given', resolved_by: 'kim', resolution_note: 'called' },
  ]);
});

test('an order that is not registered has a page if a payment names it', async () => {
  const { svcUid } = await payForNobody(world, 'order-of-nobody');
  const html = await open('/orders/order-of-nobody');
  expectTexts(html, ['not registered', link(`payments/${svcUid}`)]);
});

test('the page of a customer shows cards, orders, refunds and notes, and no other customer', async () => {
  const { uid, svcUid } = await buy();
  await refund(svcUid, 100, 1000);
  await kim.post(`/operator/orders/${uid}/note`, { note: 'wants green tea' });
  const other = await registerOrder(world, newUid(), { member_id: 'somebody-else' });
  const { svc_uid: ofOther } = await world.sandbox.pay({ merchant_uid: other, amount: 1000 });
  await refund(ofOther, 77, 1000);
  await kim.post(`/operator/orders/${other}/note`, { note: 'wants black tea' });
  const html = await open(`/members/${key.memberId}`);
  expectTexts(html, [link(`orders/${uid}`), link(`payments/${svcUid}`)]);
  expectTexts(html, [link(`keys/${key.customerUid}`), '₩100', 'wants green tea']);
  // Who it is, what was paid, and what of it was refunded.
  expect(html).toMatch(
    new RegExp(`${BUYER.name}</h2>[^]*Total</dt><dd><strong>₩[\\d,]+<[^]*Refunded</dt><dd>₩`),
  );
  expect((await open('/members/somebody-else')).includes('wants black tea')).toBe(true);
  for (const theirs of [`${other}<`, `${other}"`, ofOther, '₩77', 'wants black tea'])
    expect([theirs, html.includes(theirs)]).toEqual([theirs, false]);
  const ofKey = await kim.get(`/operator/keys/${key.customerUid}`);
  expect([ofKey.status, ofKey.location]).toEqual([303, `/operator/members/${key.memberId}`]);
  expect((await kim.get('/operator/members/nobody')).status).toBe(404);
  const paths = world.log.lines().map(({ req }) => (req as { path?: string } | undefined)?.path ?? '');
  expect(paths).toContain('/operator/members/{member_id}');
  expect(paths.filter((path) => path.includes(key.memberId))).toEqual([]);
});

withPlans('subscriptions are listed, found, counted, and lead to their orders and cards', async () => {
  const plan = await subscribe(world, key, { amount: 9900 });
  expectTexts(await open(`/subscriptions?member_id=${key.memberId}`), [
    link(`subscriptions/${plan}`),
    '₩9,900',
  ]);
  expectTexts(await open(`/subscriptions/${plan}`), [
    link(`orders/${plan}-1`),
    link(`keys/${key.customerUid}`),
    'Monthly',
  ]);
  expectTexts(await open(`/members/${key.memberId}`), [link(`subscriptions/${plan}`), 'Planned payments']);
  expectTexts(await open(`/search?q=${plan}`), [link(`subscriptions/${plan}`)]);
  expect(await open('')).toMatch(/Active subscriptions<\/a><\/dt><dd><strong>[1-9]/);
  expect((await kim.get('/operator/subscriptions/no-such-plan')).status).toBe(404);
  expect((await kim.get('/operator/subscriptions.csv')).html).toContain(plan);
});

test('lists are counted, added up by currency and sorted by time and by amount', async () => {
  const ofMember = `member_id=${key.memberId}`;
  const amounts = [3000, 1000, 2000];
  const uids: string[] = [];
  for (const amount of amounts) {
    const { uid, svcUid } = await buy({ amount });
    uids.push(uid);
    if (amount === 2000) await refund(svcUid, 500, 2000);
    await world.advance(1);
  }
  const dollars = await registerOrder(world, newUid(), {
    member_id: key.memberId,
    amount: 25,
    currency: 'USD',
  });
  await world.sandbox.pay({ merchant_uid: dollars, amount: 25, currency: 'USD' });
  const read = async (place: string, sort: string) => {
    const html = await open(`/${place}?${ofMember}&sort=${sort}`);
    return [...html.matchAll(/href="\/operator\/orders\/([^"?]*)\?lang=en" title/g)].map(([, uid]) => uid);
  };
  const [three, one, two] = uids;
  for (const place of ['orders', 'payments']) {
    expect(await read(place, 'newest')).toEqual([dollars, two, one, three]);
    expect(await read(place, 'oldest')).toEqual([three, one, two, dollars]);
    expect(await read(place, 'largest')).toEqual([three, two, one, dollars]);
    expect(await read(place, 'smallest')).toEqual([dollars, one, two, three]);
  }
  const totals = async (place: string) => {
    const [, line = ''] = /<p class="totals">([^]*?)<\/p>/.exec(await open(`/${place}?${ofMember}`)) ?? [];
    return line
      .replace(/<[^>]*>/g, '')
      .replace(/\s+/g, ' ')
      .trim();
  };
  expect(await totals('orders')).toBe('4 orders · Total ₩6,000 · Total 25 USD');
  expect(await totals('payments')).toBe(
    '4 payments · Total ₩6,000 · Refunded ₩500 · Total 25 USD · Refunded 0 USD',
  );
  expect(await codeOf(world.api('GET', '/api/orders?sort=newest'))).toEqual([400, 'invalid_request']);
});

test('a filter that cannot be applied is shown with the other filters, and what was typed stays', async () => {
  for (const place of ['orders', 'payments', 'notifications']) {
    const { status, html } = await kim.get(`/operator/${place}?from=2026-12-02&to=2026-12-01&lang=en`);
    expect([place, status]).toEqual([place, 400]);
    expect(html).toContain('This filter cannot be applied.');
    expect(html).toMatch(/name="from" value="2026-12-02"[^]*name="to" value="2026-12-01"/);
    expect(html).not.toContain('No results');
  }
});

test('a page of sorted orders goes on where the page before has ended', async () => {
  const member_id = `${key.memberId}-many`;
  const rows = Array.from({ length: 60 }, (_, n) => [`many-${n}`, 100 + (n % 7)] as const);
  await world.rows.query(
    `insert into orders (merchant_uid, name, amount, currency, member_id, created_at, updated_at)
     select r->>0, 'Tea', (r->>1)::bigint, 'KRW', $2, $3, $3 from jsonb_array_elements($1::jsonb) r`,
    [JSON.stringify(rows), member_id, world.clock.now()],
  );
  for (const sort of ['newest', 'oldest', 'largest', 'smallest']) {
    const seen: (string | undefined)[] = [];
    let next: string | undefined = `/orders?member_id=${member_id}&sort=${sort}`;
    while (next !== undefined) {
      const html = await open(next);
      seen.push(...[...html.matchAll(/orders\/(many-\d+)\?lang=en" title/g)].map(([, uid]) => uid));
      const [, address] = /rel="next" href="\/operator([^"]*)"/.exec(html) ?? [];
      next = address?.replaceAll('&amp;', '&').replace(/&lang=en/, '');
    }
    expect([sort, seen.length, new Set(seen).size]).toEqual([sort, 60, 60]);
  }
});

test('the search finds orders, payments, customers, cards and discrepancies', async () => {
  // Others have paid with the usual card.
  const own = await registerKey(world, { card_number: '5409-1357-2468-7351' });
  const { uid, svcUid, approval } = await buy({ amount: 43_210 }, own);
  const nobody = await payForNobody(world, newUid());
  const { svc_uid: inWindow } = await world.sandbox.pay({
    merchant_uid: await registerOrder(world, newUid()),
    amount: 1000,
    buyer_name: 'Window Buyer',
  });
  const seeded = await registerOrder(world, newUid(), { buyer: { name: '김민수' } });
  const find = (text: string) => open(`/search?q=${encodeURIComponent(text)}`);
  const [card] = await world.rows.query<{ digits: string }>(
    'select right(card_number, 4) as digits from billing_keys where customer_uid = $1',
    [own.customerUid],
  );
  const found: [text: string, leadsTo: string][] = [
    [uid, `orders/${uid}`],
    [BUYER.name, `orders/${uid}`],
    [BUYER.tel.replaceAll('-', ''), `orders/${uid}`],
    [`+82 ${BUYER.tel.slice(1)}`, `orders/${uid}`],
    [BUYER.email.toUpperCase(), `orders/${uid}`],
    ['43,210원', `orders/${uid}`],
    ['₩43,210', `payments/${svcUid}`],
    [svcUid, `payments/${svcUid}`],
    [approval, `payments/${svcUid}`],
    [card?.digits ?? '', `payments/${svcUid}`],
    [card?.digits ?? '', `keys/${own.customerUid}`],
    [own.customerUid, `keys/${own.customerUid}`],
    [own.memberId, `members/${own.memberId}`],
    [own.memberId.toUpperCase(), `members/${own.memberId}`],
    [svcUid.toUpperCase(), `payments/${svcUid}`],
    ['window buyer', `payments/${inWindow}`],
    ['dow B', `payments/${inWindow}`],
    // A part of a name, and the English form of one that `npm run seed` writes.
    [BUYER.name.slice(1), `orders/${uid}`],
    [BUYER.name.slice(1), `members/${own.memberId}`],
    ...(hasOption('demo') ? [['kim MIN', `orders/${seeded}`] as [string, string]] : []),
    [nobody.svcUid, `desk/discrepancies/${nobody.id}`],
  ];
  for (const [text, leadsTo] of found)
    expect([text, (await find(text)).includes(link(leadsTo))]).toEqual([text, true]);
  // The name that was looked for is shown, and of many rows a link leads to more.
  expect(await find(BUYER.name)).toMatch(new RegExp(`data-label="Buyer"[^>]*>${BUYER.name}<`));
  for (let count = 0; count < 12; count += 1) await registerOrder(world, newUid(), { amount: 77_777 });
  const [, more = ''] = /href="\/operator(\/search\?q=77777&amp;kind=orders)/.exec(await find('77777')) ?? [];
  expect((await open(more.replace('&amp;', '&'))).match(/<tr role="row">/g)).toHaveLength(13);
  for (const text of [
    'no such thing',
    '%',
    "' or 1=1",
    'order',
    '43,209원',
    '43,211원',
    '99999999999999999999',
    'a\u0000b',
  ])
    expect([text, (await find(text)).includes('No results')]).toEqual([text, true]);
});

test.each([
  ['get', '/operator/members/%00'],
  ['get', '/operator/keys/a%00b'],
  ['post', '/operator/orders/%00/note'],
  ['post', `/operator/orders/${'o'.repeat(65)}/note`],
] as const)('O16 an id that PostgreSQL would refuse is not found: %s %s', async (method, path) => {
  const answer = method === 'get' ? await kim.get(path) : await kim.post(path, { note: 'x' });
  expect(answer.status).toBe(404);
});

test('what is searched for is in no log, and a card number is not searched for or shown again', async () => {
  await open(`/search?q=${encodeURIComponent(BUYER.name)}`);
  const html = await open('/search?q=4242-4242-4242-4242');
  expect(html).toContain('Do not type a whole card number');
  expect(html).not.toContain('4242-4242');
  const text = world.log.text();
  expect(text).toContain('/operator/search');
  for (const secret of [BUYER.name, encodeURIComponent(BUYER.name), '4242-4242-4242-4242'])
    expect(text).not.toContain(secret);
});

test('the CSV has the headings of the page’s language, and times of Seoul', async () => {
  const { uid } = await buy();
  const [row] = await world.rows.query<{ at: string }>(
    `select to_char(created_at at time zone 'Asia/Seoul', 'YYYY-MM-DD HH24:MI:SS') as at from orders where merchant_uid = $1`,
    [uid],
  );
  const lines = async (lang: string) =>
    (await kim.get(`/operator/orders.csv?merchant_uid=${uid}&lang=${lang}`)).html.split('\r\n');
  expect((await lines('ko'))[0]).toMatch(/^\ufeff?주문번호,금액,상태,/);
  const [heads, first] = await lines('en');
  expect(heads).toMatch(/^\ufeff?Order number,Amount,Status,/);
  expect(heads).toMatch(/,Registered on \(KST\)/);
  expect(first).toContain(`${uid},1000,paid,Tea,${key.memberId},1,KRW,${row?.at}`);
});
