// The payment window sends the browser back (§6.5.1), before the notification or after it: the page says what is true at
// that moment, and believes nothing of its address but the ids.

import { findReturn } from '../../../src/merchant/checkout/find-return';
import { startContext } from '../../support/context';
import { FETCH_PAYMENT } from '../../support/endpoints';
import type { Answer } from '../../support/member-browser';
import {
  discrepanciesOf,
  orderStatus,
  paySilently,
  registerOrder,
  sendNotification,
} from '../../support/orders';
import {
  mentionsOrder,
  openReturnPage,
  payForReturn,
  returnPath,
  returnState,
} from '../../support/return-page';
import { useWorld } from '../../support/use-world';

const world = useWorld();
afterEach(() => world.sandbox.clearFaults());

describe('what is true at this moment', () => {
  test('paid, before any notification has come; and the order is paid then', async () => {
    const { uid, path } = await payForReturn(world);
    const answer = await openReturnPage(world, path);
    expect([answer.status, returnState(answer)]).toEqual([200, 'paid']);
    expect(answer.html).toContain('Oolong &lt;b&gt;tea&lt;/b&gt;');
    expect(answer.html).toContain('₩12,000');
    expect(answer.headers.get('refresh')).toBeNull();
    expect(await orderStatus(world, uid)).toBe('paid');
  });

  test('paid, also where the address claims that it is not, and failed, where it claims a success', async () => {
    const paid = await payForReturn(world);
    expect(
      returnState(
        await openReturnPage(world, `${paid.path}&abc_success=false&imp_success=false&error_msg=no`),
      ),
    ).toBe('paid');
    const failed = await payForReturn(world, { outcome: 'failed' });
    expect(returnState(await openReturnPage(world, `${failed.path}&abc_success=true&imp_success=true`))).toBe(
      'failed',
    );
  });

  test('failed: nothing was charged, and a way back', async () => {
    const { path } = await payForReturn(world, { outcome: 'failed' });
    const answer = await openReturnPage(world, path);
    expect(answer.html).toContain('Nothing was charged');
    expect(answer.html).toContain('<a class="primary" href="/cards">Go back</a>');
    // The service's own reason may be about the card, and is for the shop.
    expect(answer.html).not.toContain('한도초과');
  });

  test('a deposit is awaited: bank, account, holder, and until when in Korea; then paid', async () => {
    const { uid, svcUid, path } = await payForReturn(world, { outcome: 'virtual_account' });
    const answer = await openReturnPage(world, path);
    expect(returnState(answer)).toBe('awaiting_deposit');
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
    expect(returnState(await openReturnPage(world, path))).toBe('paid');
    expect(await orderStatus(world, uid)).toBe('paid');
  });

  test('a deposit is no longer awaited when its time is over, and the account is gone from the page', async () => {
    const { path } = await payForReturn(world, { outcome: 'virtual_account' });
    expect(returnState(await openReturnPage(world, path))).toBe('awaiting_deposit');
    await world.advance(3 * 86_400 + 60);
    const answer = await openReturnPage(world, path);
    expect(returnState(answer)).toBe('deposit_over');
    expect(answer.html).not.toContain('(주)가맹점');
  });

  test('refunded in part, and then in full', async () => {
    const { svcUid, path } = await payForReturn(world);
    await world.sandbox.control(svcUid, 'cancel', { amount: 2000 });
    expect(returnState(await openReturnPage(world, path))).toBe('partly_refunded');
    await world.sandbox.control(svcUid, 'cancel');
    expect(returnState(await openReturnPage(world, path))).toBe('cancelled');
  });

  test('a failed attempt whose order was paid at the second one asks for no third', async () => {
    const { uid, path } = await payForReturn(world, { outcome: 'failed' });
    expect(returnState(await openReturnPage(world, path))).toBe('failed');
    const { svc_uid } = await paySilently(world, uid, { amount: 12_000 });
    await sendNotification(world, svc_uid, uid);
    expect(returnState(await openReturnPage(world, path))).toBe('paid_otherwise');
  });

  test('a payment that does not fit: the shop is checking, without any detail', async () => {
    const { uid, path } = await payForReturn(world, { amount: 11_999 });
    const answer = await openReturnPage(world, path);
    expect([answer.status, returnState(answer), mentionsOrder(answer)]).toEqual([200, 'checking', false]);
    expect(answer.html).not.toContain('11,999');
    expect(await orderStatus(world, uid)).toBe('open');
    expect(await discrepanciesOf(world, uid)).toMatchObject([{ kind: 'amount_mismatch' }]);
  });

  test('in the customer’s language, and the switch keeps the ids', async () => {
    const { path } = await payForReturn(world);
    const korean = await openReturnPage(world, path, { 'accept-language': 'ko' });
    expect(korean.html).toContain('결제가 끝났어요');
    expect(korean.html).toContain('12,000원');
    const english = /href="([^"]+)" lang="en"/.exec(korean.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(english).toBe(`${path}&lang=en`);
    expect(returnState(await openReturnPage(world, english))).toBe('paid');
  });
});

describe('not known yet', () => {
  const refreshOf = ({ headers }: Answer) => {
    const [, seconds, url = ''] = /^(\d+); url=(.+)$/.exec(headers.get('refresh') ?? '') ?? [];
    return { seconds: Number(seconds), url };
  };

  test('the page says so, asks again by itself, and finds out when the service answers again', async () => {
    const { uid, path } = await payForReturn(world);
    await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'status', status: 503 });
    const answer = await openReturnPage(world, `${path}&abc_success=true`);
    expect([answer.status, returnState(answer)]).toEqual([200, 'not_known_yet']);
    expect(answer.html).toContain('do not pay again');
    expect(refreshOf(answer)).toEqual({ seconds: 3, url: `${path}&attempt=1` });
    expect(answer.html).toContain('This page checks again in 3 seconds.');
    expect(await orderStatus(world, uid)).toBe('open');
    const next = await openReturnPage(world, refreshOf(answer).url);
    expect([returnState(next), next.headers.get('refresh')]).toEqual(['paid', null]);
  });

  test('it asks ever more seldom, in the chosen language, and stops after a while', async () => {
    const uid = await registerOrder(world);
    const seconds: number[] = [];
    let answer = await openReturnPage(world, `${returnPath(uid, 'svc_none')}&lang=ko`);
    for (; answer.headers.has('refresh'); answer = await openReturnPage(world, refreshOf(answer).url)) {
      seconds.push(refreshOf(answer).seconds);
      expect(refreshOf(answer).url).toContain('&lang=ko');
    }
    expect(seconds).toEqual([3, 5, 8, 15, 30, 60, 120]);
    expect(returnState(answer)).toBe('not_known_yet');
    expect(answer.html).not.toContain('초 뒤에');
    expect(answer.html).toContain(`${returnPath(uid, 'svc_none').replaceAll('&', '&amp;')}&amp;lang=ko"`);
  });

  test('a link stops it at once', async () => {
    const uid = await registerOrder(world);
    const { html } = await openReturnPage(world, returnPath(uid, 'svc_none'));
    const stop = /href="([^"]+)">Do not check by itself/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect((await openReturnPage(world, stop)).headers.get('refresh')).toBeNull();
  });

  test.each(['-1', '1e1', '007', '100', 'x', '1&attempt=2', '%0d%0aset-cookie:a=b'])(
    'attempt=%s counts as the first',
    async (attempt) => {
      const uid = await registerOrder(world);
      const answer = await openReturnPage(world, `${returnPath(uid, 'svc_none')}&attempt=${attempt}`);
      expect(refreshOf(answer)).toEqual({ seconds: 3, url: `${returnPath(uid, 'svc_none')}&attempt=1` });
    },
  );

  test('nothing of the order is shown to somebody who made up a payment', async () => {
    const { uid } = await payForReturn(world);
    const answer = await openReturnPage(world, returnPath(uid, 'svc_madeup'));
    expect([answer.status, returnState(answer), mentionsOrder(answer)]).toEqual([
      200,
      'not_known_yet',
      false,
    ]);
  });

  test('what was verified before is told while the service is down', async () => {
    const { uid, svcUid, path } = await payForReturn(world);
    await sendNotification(world, svcUid, uid);
    await world.sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'reset' });
    expect(returnState(await openReturnPage(world, path))).toBe('paid');
  });

  test('without a database the page does not say that nothing was done', async () => {
    const { path } = await payForReturn(world);
    const answer = await world.withoutDatabase(() => openReturnPage(world, path));
    expect([answer.status, returnState(answer), mentionsOrder(answer)]).toEqual([
      503,
      'not_known_yet',
      false,
    ]);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(refreshOf(answer).seconds).toBe(3);
    expect(world.log.events('request_failed')).toMatchObject([{ err: { type: 'DatabaseError' } }]);
    expect(returnState(await openReturnPage(world, path))).toBe('paid');
  });

  test('a slow service is waited for within a limit, and its answer is written all the same', async () => {
    const { context, sandbox, rows, close } = await startContext();
    await rows.query(
      `insert into orders (merchant_uid, name, amount, currency, created_at, updated_at)
       values ('slow', 'Tea', 1000, 'KRW', now(), now())`,
    );
    const { svc_uid: svcUid } = await sandbox.pay({
      merchant_uid: 'slow',
      amount: 1000,
      notify: false,
    });
    await sandbox.fault({ endpoint: FETCH_PAYMENT, kind: 'delay', delay_ms: 400 });
    const claim = { svcUid, merchantUid: 'slow', visitor: { address: null } };
    expect(await findReturn(context, claim, 50)).toMatchObject({ state: 'not_known_yet', purchase: null });
    await rows.waitFor(`select from orders where merchant_uid = 'slow' and status = 'paid'`);
    await close();
  });
});
