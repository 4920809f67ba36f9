// The return page (§6.5.1) as a page: what it does not show, how it is served, what a look costs.

import { FETCH_PAYMENT } from '../../support/endpoints';
import { createMemberBrowser, type Answer } from '../../support/member-browser';
import { expectNoEffect } from '../../support/no-effect';
import { discrepanciesOf, paySilently } from '../../support/orders';
import {
  mentionsOrder,
  openReturnPage,
  payForReturn,
  returnPath,
  returnState,
} from '../../support/return-page';
import { useWorld } from '../../support/use-world';
import { startWorld } from '../../support/world';

const world = useWorld();

describe('what a visitor made up', () => {
  test('an order that nobody registered is not known yet: the service is not asked, and nothing is noted', async () => {
    const stranger = await paySilently(world, 'stranger');
    const answer = await expectNoEffect(world, () =>
      openReturnPage(world, returnPath('stranger', stranger.svc_uid)),
    );
    expect([answer.status, returnState(answer)]).toEqual([200, 'not_known_yet']);
  });

  test('the payment of another order is not known yet, tells nothing of either, and is noted nowhere', async () => {
    const one = await payForReturn(world);
    const other = await payForReturn(world);
    const before = await world.rows.money();
    const answer = await openReturnPage(world, returnPath(one.uid, other.svcUid));
    expect([answer.status, returnState(answer), mentionsOrder(answer)]).toEqual([
      200,
      'not_known_yet',
      false,
    ]);
    expect(await world.rows.money()).toBe(before);
    expect(await discrepanciesOf(world, one.uid)).toEqual([]);
  });

  test('the page of an order that we have and of one that we do not have is the same but for the ids', async () => {
    const { uid } = await payForReturn(world);
    const other = await payForReturn(world);
    const nobodys = 'x'.repeat(uid.length);
    const shown = async (merchantUid: string, svcUid: string) => {
      const { status, headers, html } = await openReturnPage(world, returnPath(merchantUid, svcUid));
      const withoutIds = (text: string | null) =>
        text?.replaceAll(merchantUid, 'ORDER').replaceAll(svcUid, 'PAYMENT');
      return [status, withoutIds(headers.get('refresh')), withoutIds(html)];
    };
    const madeUp = await shown(uid, 'svc_madeup');
    expect(await shown(nobodys, 'svc_madeup')).toEqual(madeUp);
    expect(await shown(uid, other.svcUid)).toEqual(madeUp);
  });
});

describe('a page that is not there', () => {
  test('ids that are missing, malformed, given twice or at odds with the path are a 404 without a call', async () => {
    const { uid, svcUid } = await payForReturn(world);
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
      const answer = await openReturnPage(world, path + query);
      expect([query, answer.status, returnState(answer)]).toEqual([query, 404, 'missing']);
    }
    expect((await openReturnPage(world, '/orders/..%2Fx/return?abc_uid=svc_1')).status).toBe(404);
    expect(await world.sandbox.allRequests()).toBe(before);
  });

  test('the order’s id in the path is enough', async () => {
    const { uid, svcUid } = await payForReturn(world);
    expect(returnState(await openReturnPage(world, `/orders/${uid}/return?abc_uid=${svcUid}`))).toBe('paid');
  });
});

describe('as a page', () => {
  test('it is kept by nobody, framed by nobody, and served under our own name alone', async () => {
    const { path } = await payForReturn(world);
    const { headers } = await openReturnPage(world, path);
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
    const { path } = await payForReturn(world);
    const answer = await createMemberBrowser(world).post(path, { abc_uid: 'svc_1' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await createMemberBrowser(world).send('HEAD', path)).status).toBe(200);
  });

  test('a second look changes nothing', async () => {
    const { path } = await payForReturn(world);
    await openReturnPage(world, path);
    const before = await world.rows.books();
    await openReturnPage(world, path);
    expect(await world.rows.books()).toBe(before);
  });

  test('a hundred looks at once are one call of the service in a tenth of a second', async () => {
    const { path } = await payForReturn(world);
    let answers: Answer[] = [];
    let tenths = 0;
    const calls = await world.sandbox.requestsDuring(FETCH_PAYMENT, async () => {
      const startedMs = performance.now();
      answers = await Promise.all(Array.from({ length: 100 }, () => openReturnPage(world, path)));
      tenths = Math.ceil((performance.now() - startedMs) / 100);
    });
    expect(new Set(answers.map(returnState))).toEqual(new Set(['paid']));
    expect(calls).toBeLessThanOrEqual(1 + tenths);
  });

  test('the log has the ids and the state, and nothing of the query', async () => {
    const { uid, svcUid, path } = await payForReturn(world);
    await openReturnPage(world, `${path}&error_msg=canary-in-the-query`);
    const [line] = await world.log.requests({ svc_uid: svcUid, merchant_uid: uid, outcome: 'paid' });
    expect(line).toMatchObject({ req: { path: `/orders/${uid}/return` } });
    expect(world.log.text()).not.toContain('canary-in-the-query');
  });
});
