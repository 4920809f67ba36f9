// The return page of the payment window (§6.5.1), before or after the notification: it shows the current state, trusts only the ids
// in its address, and links to the shop's page.

import { findReturn } from '../../../src/merchant/options/checkout/find-return';
import { merchantHeaderProblems } from '../../support/answer-headers';
import {
  createMemberBrowser,
  mentionsOrder,
  openReturnPage,
  payForReturn,
  returnPath,
  returnState,
  type Answer,
} from '../../support/browsers';
import { escapedIn, fillWithMarkup, MARKUP } from '../../support/markup';
import { discrepanciesOf, orderStatus, paySilently } from '../../support/orders';
import { send } from '../../support/raw-http';
import { expectNoEffect } from '../../support/rows';
import { FETCH_PAYMENT } from '../../support/sandbox-controls';
import { useContext, useWorld } from '../../support/use-world';

const SHOP = 'https://shop.example.com';
const THANKS = `${SHOP}/thanks?order=7&from=window`;

const world = useWorld({ environment: { RETURN_URLS: SHOP } });
const context = useContext(world);
afterEach(() => world.sandbox.clearFaults());

const IS_PAID = `select from orders where merchant_uid = $1 and status = 'paid'`;
const named = (returnUrl: string) => `&return_url=${encodeURIComponent(returnUrl)}`;
/** Where a link of the page leads, by what follows its address. */
const linkTo = ({ html }: Answer, text: string) => {
  const [, href = ''] = new RegExp(`href="([^"]*)"${text}`).exec(html) ?? [];
  return href.replaceAll('&amp;', '&');
};
const shopPage = (answer: Answer) => linkTo(answer, '>(?:View order|Your cards)<');
const refreshOf = ({ headers }: Answer) => headers.get('refresh');

describe('what is true at this moment', () => {
  test('a payment is shown as paid before its notification, whatever the address says, and the order is paid', async () => {
    const { uid, path } = await payForReturn(world);
    const reported = '&abc_success=false&imp_success=false&error_msg=no';
    const answer = await openReturnPage(world, path + reported);
    expect([answer.status, returnState(answer), refreshOf(answer)]).toEqual([200, 'paid', null]);
    expect(answer.html).toContain('Oolong &lt;b&gt;tea&lt;/b&gt;');
    expect(answer.html).toContain('₩12,000');
    expect(await orderStatus(world, uid)).toBe('paid');
  });

  test('a paid payment shows card company, approval number and time, and no digit of the card', async () => {
    const { svcUid, path } = await payForReturn(world);
    const { html } = await openReturnPage(world, path);
    const [payment] = await world.rows.query<{ apply_num: string; card_number: string }>(
      'select apply_num, card_number from payments where svc_uid = $1',
      [svcUid],
    );
    expect(html).toContain(payment?.apply_num);
    expect(html).toMatch(/Card company<\/dt><dd>[A-Z][\w ]+ Card</);
    expect(html).toMatch(/Paid on<\/dt><dd><time datetime="/);
    // Masked, it has its first six and its last four digits.
    const digits = payment?.card_number.match(/\d{4,}/g) ?? [];
    expect(digits.length).toBeGreaterThan(1);
    for (const some of digits)
      expect([some, new RegExp(`(?<!\\w)${some}(?!\\w)`).test(html)]).toEqual([some, false]);
  });

  test('a failed payment is shown as failed, whatever the address says, with a link back', async () => {
    const { path } = await payForReturn(world, { outcome: 'failed' });
    const answer = await openReturnPage(world, `${path}&abc_success=true&imp_success=true`);
    expect([returnState(answer), shopPage(answer)]).toEqual(['failed', '/cards']);
    expect(answer.html).toContain('shows no charge');
    // The service's own reason may be about the card, and is for the shop.
    expect(answer.html).not.toContain('한도초과');
  });

  test('bank, account, holder and deadline in Korean time are shown until the deposit', async () => {
    const { svcUid, path } = await payForReturn(world, { outcome: 'virtual_account' });
    const answer = await openReturnPage(world, path);
    expect(returnState(answer)).toBe('awaiting_deposit');
    const [row] = await world.rows.query<{ number: string }>(
      `select record->>'vbank_num' as number from payments where svc_uid = $1`,
      [svcUid],
    );
    const until = new Date(Math.floor(world.clock.nowMs() / 1000) * 1000 + 3 * 86_400_000);
    const inKorea = new Date(+until + 9 * 3_600_000).toISOString().slice(11, 16);
    expect(answer.html).toMatch(new RegExp(`<time datetime="${until.toISOString()}">[^<]*, ${inKorea}<`));
    for (const text of ['Shinhan Bank', row?.number ?? '?', 'SANDBOX SHOP', '₩12,000', 'Korean time'])
      expect(answer.html).toContain(text);

    await world.advance(3 * 86_400 + 60);
    const late = await openReturnPage(world, path);
    expect([returnState(late), late.html.includes('SANDBOX SHOP')]).toEqual(['deposit_late', false]);
  });
});

describe('not known yet', () => {
  test('the page refreshes automatically and shows the result when the service answers again', async () => {
    const { uid, path } = await payForReturn(world);
    await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503 });
    const answer = await openReturnPage(world, `${path}&abc_success=true&lang=en${named(THANKS)}`);
    expect([answer.status, returnState(answer)]).toEqual([200, 'not_known_yet']);
    expect(answer.html).toContain('do not pay again');
    expect(answer.html).toContain('This page checks again in 3 seconds.');
    expect(refreshOf(answer)).toBe(`3; url=${path}&attempt=1${named(THANKS)}&lang=en`);
    expect(await orderStatus(world, uid)).toBe('open');
    // The address to return to survives the refresh, the links of the page and the switch of the language.
    const refreshed = refreshOf(answer)?.slice('3; url='.length) ?? '';
    const again = linkTo(answer, '>Refresh now');
    const stop = linkTo(answer, '>Stop auto-refresh');
    for (const next of [refreshed, again, stop, linkTo(answer, ' lang="en"')]) {
      const page = await openReturnPage(world, next);
      const found = [returnState(page), shopPage(page), refreshOf(page)];
      expect([next, ...found]).toEqual([next, 'paid', THANKS, null]);
    }
  });

  test('during a database outage the page does not say that nothing was done, and keeps the address', async () => {
    const { path } = await payForReturn(world);
    const answer = await world.withoutDatabase(() => openReturnPage(world, path + named(THANKS)));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect([returnState(answer), mentionsOrder(answer)]).toEqual(['not_known_yet', false]);
    expect(refreshOf(answer)).toBe(`3; url=${path}&attempt=1${named(THANKS)}`);
    expect(returnState(await openReturnPage(world, path))).toBe('paid');
  });

  test('the page waits for a slow service within a limit, and the late answer is still written', async () => {
    const { uid, svcUid } = await payForReturn(world);
    await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 400 });
    const reported = { svcUid, merchantUid: uid, network: 'unknown' };
    expect(await findReturn(context, reported, 1)).toMatchObject({ state: 'not_known_yet', purchase: null });
    await world.rows.waitFor(IS_PAID, [uid]);
  });
});

describe('the way on to the shop', () => {
  test('it leads to an allowed address, without a language, for every outcome', async () => {
    const { path } = await payForReturn(world, { outcome: 'failed' });
    expect(shopPage(await openReturnPage(world, `${path}${named(THANKS)}&lang=en`))).toBe(THANKS);
    expect(shopPage(await openReturnPage(world, `/orders/none/return?x=1${named(THANKS)}`))).toBe(THANKS);
  });

  test('an address that is not allowed is ignored: the page shows the state and our own link', async () => {
    const { path } = await payForReturn(world);
    const before = world.log.events('return_url_ignored').length;
    const answer = await openReturnPage(world, path + named('https://evil.example/'));
    expect([answer.status, returnState(answer), shopPage(answer)]).toEqual([200, 'paid', '/cards']);
    expect(answer.html).not.toContain('evil');
    expect(world.log.events('return_url_ignored')).toHaveLength(before + 1);
    expect(world.log.text()).not.toContain('evil');
  });
});

test('an unknown payment, one of another order, and an unknown order look the same', async () => {
  const { uid } = await payForReturn(world);
  const other = await payForReturn(world);
  const before = await world.rows.money();
  const shown = async (merchantUid: string, svcUid: string) => {
    const answer = await openReturnPage(world, returnPath(merchantUid, svcUid));
    const facts = [answer.status, returnState(answer), mentionsOrder(answer)];
    expect(facts).toEqual([200, 'not_known_yet', false]);
    const seen = `${refreshOf(answer)} ${answer.html}`;
    return seen.replaceAll(merchantUid, 'ORDER').replaceAll(svcUid, 'PAYMENT');
  };
  const madeUp = await shown(uid, 'svc_madeup');
  expect(await shown(uid, other.svcUid)).toEqual(madeUp);
  // The service is not queried for an unregistered order.
  const { svc_uid: stranger } = await paySilently(world, 'stranger');
  expect(await expectNoEffect(world, () => shown('stranger', stranger))).toEqual(madeUp);
  expect(await world.rows.money()).toBe(before);
  expect(await discrepanciesOf(world, uid)).toEqual([]);
});

test.each<[string, (uid: string, svcUid: string) => string]>([
  ['with each id twice', (uid, id) => `?abc_uid=${id}&abc_uid=${id}&merchant_uid=${uid}&merchant_uid=${uid}`],
  [
    'with what others append',
    (_uid, id) => `?utm_source=x&abc_uid=${id}&gclid=y&error_msg=z&imp_success=false`,
  ],
  ['with an empty id beside it', (_uid, id) => `?abc_uid=&abc_uid=${id}`],
  ['with the names of the newer generation', (uid, id) => `?payment_id=${uid}&tx_id=${id}`],
  ['with the names of both generations', (uid, id) => `?payment_id=${uid}&tx_id=${id}&abc_uid=${id}`],
  ['with an encoded name', (_uid, id) => `?abc%5Fuid=${id}`],
  ['with a slash at the end of its path', (_uid, id) => `/?abc_uid=${id}`],
  ['with a payment that does not exist before it', (_uid, id) => `?abc_uid=svc_none&abc_uid=${id}`],
  ['with a payment that does not exist after it', (_uid, id) => `?abc_uid=${id}&abc_uid=svc_none`],
])('a paid order is shown as paid by an address %s', async (_name, build) => {
  const { uid, svcUid } = await payForReturn(world);
  const answer = await openReturnPage(world, `/orders/${uid}/return${build(uid, svcUid)}`);
  expect([answer.status, returnState(answer)]).toEqual([200, 'paid']);
});

test('of a payment that failed and another that paid, the one that paid is shown', async () => {
  const { uid, svcUid: failed } = await payForReturn(world, { outcome: 'failed' });
  const { svc_uid: paid } = await paySilently(world, uid, { amount: 12_000 });
  const answer = await openReturnPage(world, `/orders/${uid}/return?abc_uid=${failed}&abc_uid=${paid}`);
  expect(returnState(answer)).toBe('paid');
});

test('a post from the gateway is led on to the page, with the ids and an allowed return address alone', async () => {
  const { uid, svcUid } = await payForReturn(world);
  const post = (fields: Record<string, string>, query = '') =>
    send(world.url, `/orders/${uid}/return${query}`, {
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://gateway.example',
        'sec-fetch-site': 'cross-site',
      },
      body: new URLSearchParams(fields).toString(),
    });
  const page = returnPath(uid, svcUid);
  const before = await world.sandbox.allRequests();
  const led = [
    await post({ abc_uid: svcUid, result: 'ok' }),
    await post({}, `?abc_uid=${svcUid}&return_url=https://evil.example/`),
    await post({ tx_id: svcUid, return_url: 'https://evil.example/' }),
  ];
  expect(led.map(({ status, headers }) => [status, headers.location])).toEqual(led.map(() => [303, page]));
  const withShop = await post({}, `?abc_uid=${svcUid}${named(THANKS)}`);
  expect(withShop.headers.location).toBe(`${page}&return_url=${encodeURIComponent(THANKS)}`);
  expect(await world.sandbox.allRequests()).toBe(before);
});

test('a return address that is repeated counts once, and of two that differ neither', async () => {
  const { path } = await payForReturn(world);
  const once = await openReturnPage(world, path + named(THANKS) + named(THANKS));
  expect(shopPage(once)).toBe(THANKS);
  const two = await openReturnPage(world, path + named(THANKS) + named(`${SHOP}/other`));
  expect(shopPage(two)).toBe('/cards');
});

test('ids that are missing, malformed, too many or in conflict with the path are a 404 without a call', async () => {
  const { uid, svcUid } = await payForReturn(world);
  const path = `/orders/${uid}/return`;
  const before = await world.sandbox.allRequests();
  for (const query of [
    '',
    `?svc_uid=${svcUid}&merchant_uid=${uid}`,
    `?abc_uid=${svcUid}&merchant_uid=${uid}&merchant_uid=other`,
    `?abc_uid=${svcUid}&payment_id=other`,
    `?abc_uid=${svcUid}&abc_uid=a&abc_uid=b&abc_uid=c`,
    `?abc_uid=..%2F${svcUid}`,
    `?abc_uid=${svcUid}&merchant_uid=other`,
  ]) {
    const answer = await openReturnPage(world, path + query);
    expect([query, answer.status, returnState(answer)]).toEqual([query, 404, 'missing']);
  }
  expect((await openReturnPage(world, '/orders/..%2Fx/return?abc_uid=svc_1')).status).toBe(404);
  expect((await createMemberBrowser(world).post(path, { svc_uid: svcUid })).status).toBe(404);
  expect(await world.sandbox.allRequests()).toBe(before);
  // The order's id in the path is enough.
  expect(returnState(await openReturnPage(world, `${path}?abc_uid=${svcUid}`))).toBe('paid');
});

test('the page of a paid order has the headers that every page has (I9)', async () => {
  const { path } = await payForReturn(world);
  const answer = await send(world.url, path, { method: 'GET' });
  expect(answer.status).toBe(200);
  // RETURN_URLS adds the shop to where a form may lead.
  expect(merchantHeaderProblems({ method: 'GET', path, answer }, false)).toEqual(['form-action']);
});

test('a second visit changes nothing, and the log has the ids and the state but no query', async () => {
  const { uid, svcUid, path } = await payForReturn(world);
  await openReturnPage(world, path);
  // Also if the page has not waited for the end of a long fetch.
  await world.rows.waitFor(IS_PAID, [uid]);
  const before = await world.rows.books();
  const second = await openReturnPage(world, `${path}&error_msg=canary-in-the-query`);
  expect(await world.rows.books()).toBe(before);
  const lines = await world.log.requests({ svc_uid: svcUid, merchant_uid: uid }, 2);
  expect(lines.at(-1)).toMatchObject({
    outcome: returnState(second),
    req: { path: `/orders/${uid}/return` },
  });
  expect(world.log.text()).not.toContain('canary-in-the-query');
});

test('the page escapes the order, the card company and the virtual account', async () => {
  const paid = await payForReturn(world);
  const account = await payForReturn(world, { outcome: 'virtual_account' });
  for (const { path } of [paid, account]) expect((await openReturnPage(world, path)).status).toBe(200);
  await fillWithMarkup(world.rows);
  await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503, times: 9 });
  for (const [{ path }, least] of [
    [paid, 3],
    [account, 4],
  ] as const)
    expect(escapedIn(path, await openReturnPage(world, path))).toBeGreaterThanOrEqual(least);
  const typed = encodeURIComponent(MARKUP);
  escapedIn('ids', await openReturnPage(world, returnPath(typed, typed)), 404);
  escapedIn('more', await openReturnPage(world, `${paid.path}&error_msg=${typed}`));
});
