// The return page (§6.5.1) as a page: what it does not show, how it is served, what a look costs.

import { createMemberBrowser } from '../../support/member-browser';
import { expectNoEffect } from '../../support/no-effect';
import { paySilently } from '../../support/orders';
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

test('an order that nobody registered is not known yet: the service is not asked, and nothing is noted', async () => {
  const { svc_uid: svcUid } = await paySilently(world, 'stranger');
  const answer = await expectNoEffect(world, () => openReturnPage(world, returnPath('stranger', svcUid)));
  expect([answer.status, returnState(answer)]).toEqual([200, 'not_known_yet']);
});

test('a payment that does not exist, one of another order, and an order that we do not have look the same', async () => {
  const { uid } = await payForReturn(world);
  const other = await payForReturn(world);
  const before = await world.rows.money();
  const shown = async (merchantUid: string, svcUid: string) => {
    const answer = await openReturnPage(world, returnPath(merchantUid, svcUid));
    expect([answer.status, returnState(answer), mentionsOrder(answer)]).toEqual([
      200,
      'not_known_yet',
      false,
    ]);
    const withoutIds = (text: string | null) =>
      text?.replaceAll(merchantUid, 'ORDER').replaceAll(svcUid, 'PAYMENT');
    return [withoutIds(answer.headers.get('refresh')), withoutIds(answer.html)];
  };
  const madeUp = await shown(uid, 'svc_madeup');
  expect(await shown('x'.repeat(uid.length), 'svc_madeup')).toEqual(madeUp);
  expect(await shown(uid, other.svcUid)).toEqual(madeUp);
  expect(await world.rows.money()).toBe(before);
  expect(await world.rows.query('select from discrepancies')).toEqual([]);
});

test('ids that are missing, malformed, given twice or at odds with the path are a 404 without a call', async () => {
  const { uid, svcUid } = await payForReturn(world);
  const path = `/orders/${uid}/return`;
  const before = await world.sandbox.allRequests();
  for (const query of [
    '',
    `?svc_uid=${svcUid}&merchant_uid=${uid}`,
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
  // The order's id in the path is enough.
  expect(returnState(await openReturnPage(world, `${path}?abc_uid=${svcUid}`))).toBe('paid');
});

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

test('a second look changes nothing, and the log has the ids and the state, and nothing of the query', async () => {
  const { uid, svcUid, path } = await payForReturn(world);
  await openReturnPage(world, path);
  const before = await world.rows.books();
  await openReturnPage(world, `${path}&error_msg=canary-in-the-query`);
  expect(await world.rows.books()).toBe(before);
  const ofPage = { svc_uid: svcUid, merchant_uid: uid, outcome: 'paid' };
  const [line] = await world.log.requests(ofPage, 2);
  expect(line).toMatchObject({ req: { path: `/orders/${uid}/return` } });
  expect(world.log.text()).not.toContain('canary-in-the-query');
});
