// The payment window sends the browser back (§6.5.1), before the notification or after it: the page says what is true at
// that moment, and believes nothing of its address but the ids.

import { findReturn } from '../../../src/merchant/checkout/find-return';
import { startContext } from '../../support/context';
import { FETCH_PAYMENT } from '../../support/endpoints';
import { createMemberBrowser, type Answer } from '../../support/member-browser';
import { expectNoEffect } from '../../support/no-effect';
import {
  discrepanciesOf,
  newUid,
  orderStatus,
  paySilently,
  registerOrder,
  sendNotification,
} from '../../support/orders';
import { startWorld, type World } from '../../support/world';

const NAME = 'Oolong <b>tea</b>';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());
afterEach(() => world.sandbox.clearFaults());

const open = (path: string, headers: Record<string, string> = {}) =>
  createMemberBrowser(world).get(path, { 'accept-language': 'en', ...headers });
const address = (merchantUid: string, svcUid: string, more = '') =>
  `/orders/${merchantUid}/return?abc_uid=${svcUid}&merchant_uid=${merchantUid}${more}`;
const stateOf = ({ html }: Answer) => /class="result" data-state="(\w+)"/.exec(html)?.[1];

/** An order, and a payment of it of which nobody was told. */
async function pay(
  fields: Record<string, unknown> = {},
): Promise<{ uid: string; svcUid: string; path: string }> {
  const uid = await registerOrder(world, newUid(), { name: NAME, amount: 12_000 });
  const { svc_uid: svcUid } = await paySilently(world, uid, { amount: 12_000, ...fields });
  return { uid, svcUid, path: address(uid, svcUid) };
}

/** Name and amount of the order, in any of the ways in which the page could write them. */
const mentionsOrder = ({ html }: Answer) => /Oolong|12,?000/.test(html);

describe('what is true at this moment', () => {
  test('paid, before any notification has come; and the order is paid then', async () => {
    const { uid, path } = await pay();
    const answer = await open(path);
    expect([answer.status, stateOf(answer)]).toEqual([200, 'paid']);
    expect(answer.html).toContain('Oolong &lt;b&gt;tea&lt;/b&gt;');
    expect(answer.html).toContain('₩12,000');
    expect(answer.headers.get('refresh')).toBeNull();
    expect(await orderStatus(world, uid)).toBe('paid');
  });

  test('paid, also where the address claims that it is not, and failed, where it claims a success', async () => {
    const paid = await pay();
    expect(stateOf(await open(`${paid.path}&abc_success=false&imp_success=false&error_msg=no`))).toBe('paid');
    const failed = await pay({ outcome: 'failed' });
    expect(stateOf(await open(`${failed.path}&abc_success=true&imp_success=true`))).toBe('failed');
  });

  test('failed: nothing was charged, and a way back', async () => {
    const { path } = await pay({ outcome: 'failed' });
    const answer = await open(path);
    expect(answer.html).toContain('Nothing was charged');
    expect(answer.html).toContain('<a class="primary" href="/cards">Go back</a>');
    // The service's own reason may be about the card, and is for the shop.
    expect(answer.html).not.toContain('한도초과');
  });

  test('a deposit is awaited: bank, account, holder, and until when in Korea; then paid', async () => {
    const { uid, svcUid, path } = await pay({ outcome: 'virtual_account' });
    const answer = await open(path);
    expect(stateOf(answer)).toBe('awaiting_deposit');
    const [row] = await world.rows.query<{ vbank_num: string }>(
      `select record->>'vbank_num' as vbank_num from payments where svc_uid = $1`,
      [svcUid],
    );
    for (const text of ['신한은행', row?.vbank_num ?? '?', '(주)가맹점', '₩12,000'])
      expect(answer.html).toContain(text);
    const until = new Date(Math.floor(world.clock.nowMs() / 1000) * 1000 + 3 * 86_400_000);
    const inKorea = new Date(+until + 9 * 3_600_000).toISOString();
    const [, year, day = '', time] = /^(\d+)-\d+-(\d+)T(\d+:\d+)/.exec(inKorea) ?? [];
    expect(answer.html).toMatch(
      new RegExp(`<time datetime="${until.toISOString()}">\\w+ ${Number(day)}, ${year} at ${time}</time>`),
    );
    expect(answer.html).toContain('Korean time');

    await world.sandbox.control(svcUid, 'deposit');
    expect(stateOf(await open(path))).toBe('paid');
    expect(await orderStatus(world, uid)).toBe('paid');
  });

  test('a deposit is no longer awaited when its time is over, and the account is gone from the page', async () => {
    const { path } = await pay({ outcome: 'virtual_account' });
    expect(stateOf(await open(path))).toBe('awaiting_deposit');
    await world.advance(3 * 86_400 + 60);
    const answer = await open(path);
    expect(stateOf(answer)).toBe('deposit_over');
    expect(answer.html).not.toContain('(주)가맹점');
  });

  test('refunded in part, and then in full', async () => {
    const { svcUid, path } = await pay();
    await world.sandbox.control(svcUid, 'cancel', { amount: 2000 });
    expect(stateOf(await open(path))).toBe('partly_refunded');
    await world.sandbox.control(svcUid, 'cancel');
    expect(stateOf(await open(path))).toBe('cancelled');
  });

  test('a failed attempt whose order was paid at the second one asks for no third', async () => {
    const { uid, path } = await pay({ outcome: 'failed' });
    expect(stateOf(await open(path))).toBe('failed');
    const { svc_uid } = await paySilently(world, uid, { amount: 12_000 });
    await sendNotification(world, svc_uid, uid);
    expect(stateOf(await open(path))).toBe('paid_otherwise');
  });

  test('a payment that does not fit: the shop is checking, without any detail', async () => {
    const { uid, path } = await pay({ amount: 11_999 });
    const answer = await open(path);
    expect([answer.status, stateOf(answer), mentionsOrder(answer)]).toEqual([200, 'checking', false]);
    expect(answer.html).not.toContain('11,999');
    expect(await orderStatus(world, uid)).toBe('open');
    expect(await discrepanciesOf(world, uid)).toMatchObject([{ kind: 'amount_mismatch' }]);
  });

  test('in the customer’s language, and the switch keeps the ids', async () => {
    const { path } = await pay();
    const korean = await open(path, { 'accept-language': 'ko' });
    expect(korean.html).toContain('결제가 끝났어요');
    expect(korean.html).toContain('12,000원');
    const english = /href="([^"]+)" lang="en"/.exec(korean.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(english).toBe(`${path}&lang=en`);
    expect(stateOf(await open(english))).toBe('paid');
  });
});

describe('not known yet', () => {
  const refreshOf = ({ headers }: Answer) => {
    const [, seconds, url = ''] = /^(\d+); url=(.+)$/.exec(headers.get('refresh') ?? '') ?? [];
    return { seconds: Number(seconds), url };
  };

  test('the page says so, asks again by itself, and finds out when the service answers again', async () => {
    const { uid, path } = await pay();
    await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503 });
    const answer = await open(`${path}&abc_success=true`);
    expect([answer.status, stateOf(answer)]).toEqual([200, 'not_known_yet']);
    expect(answer.html).toContain('do not pay again');
    expect(refreshOf(answer)).toEqual({ seconds: 3, url: `${path}&attempt=1` });
    expect(answer.html).toContain('This page checks again in 3 seconds.');
    expect(await orderStatus(world, uid)).toBe('open');
    const next = await open(refreshOf(answer).url);
    expect([stateOf(next), next.headers.get('refresh')]).toEqual(['paid', null]);
  });

  test('it asks ever more seldom, in the chosen language, and stops after a while', async () => {
    const uid = await registerOrder(world);
    const seconds: number[] = [];
    let answer = await open(`${address(uid, 'svc_none')}&lang=ko`);
    for (; answer.headers.has('refresh'); answer = await open(refreshOf(answer).url)) {
      seconds.push(refreshOf(answer).seconds);
      expect(refreshOf(answer).url).toContain('&lang=ko');
    }
    expect(seconds).toEqual([3, 5, 8, 15, 30, 60, 120]);
    expect(stateOf(answer)).toBe('not_known_yet');
    expect(answer.html).not.toContain('초 뒤에');
    expect(answer.html).toContain(`${address(uid, 'svc_none').replaceAll('&', '&amp;')}&amp;lang=ko"`);
  });

  test('a link stops it at once', async () => {
    const uid = await registerOrder(world);
    const { html } = await open(address(uid, 'svc_none'));
    const stop = /href="([^"]+)">Do not check by itself/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect((await open(stop)).headers.get('refresh')).toBeNull();
  });

  test.each(['-1', '1e1', '007', '100', 'x', '1&attempt=2', '%0d%0aset-cookie:a=b'])(
    'attempt=%s counts as the first',
    async (attempt) => {
      const uid = await registerOrder(world);
      const answer = await open(`${address(uid, 'svc_none')}&attempt=${attempt}`);
      expect(refreshOf(answer)).toEqual({ seconds: 3, url: `${address(uid, 'svc_none')}&attempt=1` });
    },
  );

  test('nothing of the order is shown to somebody who made up a payment', async () => {
    const { uid } = await pay();
    const answer = await open(address(uid, 'svc_madeup'));
    expect([answer.status, stateOf(answer), mentionsOrder(answer)]).toEqual([200, 'not_known_yet', false]);
  });

  test('what was verified before is told while the service is down', async () => {
    const { uid, svcUid, path } = await pay();
    await sendNotification(world, svcUid, uid);
    await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'reset' });
    expect(stateOf(await open(path))).toBe('paid');
  });

  test('without a database the page does not say that nothing was done', async () => {
    const { path } = await pay();
    const answer = await world.withoutDatabase(() => open(path));
    expect([answer.status, stateOf(answer), mentionsOrder(answer)]).toEqual([503, 'not_known_yet', false]);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(refreshOf(answer).seconds).toBe(3);
    expect(world.log.events('request_failed')).toMatchObject([{ err: { type: 'DatabaseError' } }]);
    expect(stateOf(await open(path))).toBe('paid');
  });

  test('a slow service is waited for within a limit, and its answer is written all the same', async () => {
    const { context, sandbox, rows, close } = await startContext();
    await rows.query(
      `insert into orders (merchant_uid, name, amount, currency, created_at, updated_at)
       values ('slow', 'Tea', 1000, 'KRW', now(), now())`,
    );
    const { svc_uid: svcUid } = await sandbox.pay({ merchant_uid: 'slow', amount: 1000, notify: false });
    await sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 400 });
    const claim = { svcUid, merchantUid: 'slow' };
    expect(await findReturn(context, claim, 50)).toMatchObject({ state: 'not_known_yet', purchase: null });
    await rows.waitFor(`select from orders where merchant_uid = 'slow' and status = 'paid'`);
    await close();
  });
});

describe('a page that is not there', () => {
  test('an order that nobody registered is a 404: the service is not asked, and nothing is noted', async () => {
    const stranger = await paySilently(world, 'stranger');
    const answer = await expectNoEffect(world, () => open(address('stranger', stranger.svc_uid)));
    expect([answer.status, stateOf(answer)]).toEqual([404, 'missing']);
  });

  test('the payment of another order is a 404 that tells nothing of either', async () => {
    const one = await pay();
    const other = await pay();
    const before = await world.rows.money();
    const answer = await open(address(one.uid, other.svcUid));
    expect([answer.status, stateOf(answer), mentionsOrder(answer)]).toEqual([404, 'missing', false]);
    expect(await world.rows.money()).toBe(before);
  });

  test('ids that are missing, malformed, given twice or at odds with the path are a 404 without a call', async () => {
    const { uid, svcUid } = await pay();
    const path = `/orders/${uid}/return`;
    const before = await world.sandbox.allRequests();
    for (const query of [
      '',
      `?merchant_uid=${uid}`,
      `?svc_uid=${svcUid}&merchant_uid=${uid}`,
      `?imp_uid=${svcUid}`,
      `?abc_uid=${svcUid}&abc_uid=${svcUid}`,
      `?abc_uid=..%2F${svcUid}`,
      `?abc_uid=${svcUid}&merchant_uid=other`,
      `?abc_uid=${svcUid}&merchant_uid=`,
    ]) {
      const answer = await open(path + query);
      expect([query, answer.status, stateOf(answer)]).toEqual([query, 404, 'missing']);
    }
    expect((await open('/orders/..%2Fx/return?abc_uid=svc_1')).status).toBe(404);
    expect(await world.sandbox.allRequests()).toBe(before);
  });

  test('the order’s id in the path is enough', async () => {
    const { uid, svcUid } = await pay();
    expect(stateOf(await open(`/orders/${uid}/return?abc_uid=${svcUid}`))).toBe('paid');
  });
});

describe('as a page', () => {
  test('it is kept by nobody, framed by nobody, and served under our own name alone', async () => {
    const { path } = await pay();
    const { headers } = await open(path);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.getSetCookie()).toEqual([]);

    const live = await startWorld({ environment: { PUBLIC_URL: 'https://shop.example.com' } });
    const foreign = await createMemberBrowser(live).get(path);
    expect(foreign.status).toBe(400);
    await live.close();
  });

  test('it takes GET and HEAD', async () => {
    const { path } = await pay();
    const answer = await createMemberBrowser(world).post(path, { abc_uid: 'svc_1' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await createMemberBrowser(world).send('HEAD', path)).status).toBe(200);
  });

  test('a second look changes nothing', async () => {
    const { path } = await pay();
    await open(path);
    const before = await world.rows.dump();
    await open(path);
    expect(await world.rows.dump()).toBe(before);
  });

  test('a hundred looks at once are one call of the service in a tenth of a second', async () => {
    const { path } = await pay();
    let answers: Answer[] = [];
    let tenths = 0;
    const calls = await world.sandbox.requestsDuring(FETCH_PAYMENT, async () => {
      const startedMs = performance.now();
      answers = await Promise.all(Array.from({ length: 100 }, () => open(path)));
      tenths = Math.ceil((performance.now() - startedMs) / 100);
    });
    expect(new Set(answers.map(stateOf))).toEqual(new Set(['paid']));
    expect(calls).toBeLessThanOrEqual(1 + tenths);
  });

  test('the log has the ids and the state, and nothing of the query', async () => {
    const { uid, svcUid, path } = await pay();
    await open(`${path}&error_msg=canary-in-the-query`);
    const line = world.log.lines().find((each) => each['svc_uid'] === svcUid);
    expect(line).toMatchObject({
      merchant_uid: uid,
      outcome: 'paid',
      req: { path: `/orders/${uid}/return` },
    });
    expect(world.log.text()).not.toContain('canary-in-the-query');
  });
});
