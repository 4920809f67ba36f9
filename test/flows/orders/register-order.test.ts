// An order says what the merchant expects to be paid. It is registered once, over a whole positive amount.

import { getOrder, newUid, paySilently, registerOrder, sendNotification } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const world = useWorld();

describe('orders say what is expected, once', () => {
  test('the same again is 200, another amount or currency is 409 and changes nothing', async () => {
    const uid = await registerOrder(world);
    const again = { merchant_uid: uid, name: 'Tea', amount: 1000 };
    expect((await world.api('POST', '/api/orders', again)).status).toBe(200);
    const before = await world.rows.money();
    for (const changed of [{ amount: 1001 }, { currency: 'USD' }]) {
      const answer = await world.api('POST', '/api/orders', { ...again, ...changed });
      expect(answer).toMatchObject({ status: 409, body: { error: { code: 'order_conflict' } } });
    }
    expect(await world.rows.money()).toBe(before);
  });

  test.each([
    ['no amount', { amount: undefined }],
    ['a zero amount', { amount: 0 }],
    ['a negative amount', { amount: -1 }],
    ['a fraction', { amount: 10.5 }],
    ['an amount as text', { amount: '1000' }],
    ['an amount that no number holds', { amount: 2 ** 53 }],
    ['an unknown currency', { currency: 'XXX' }],
    ['an id with a slash', { merchant_uid: 'a/b' }],
    ['an id of dots', { merchant_uid: '..' }],
    ['an id of 41 characters', { merchant_uid: 'a'.repeat(41) }],
    ['no name', { name: '' }],
  ])('%s is 400 and registers nothing', async (_name, change) => {
    const before = await world.rows.money();
    const answer = await world.api('POST', '/api/orders', {
      merchant_uid: newUid(),
      name: 'Tea',
      amount: 1000,
      ...change,
    });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
    expect(await world.rows.money()).toBe(before);
  });

  test('F12 an amount above 2^31 is stored as it is', async () => {
    const uid = await registerOrder(world, newUid(), { amount: 2_147_483_648 });
    const { svc_uid } = await paySilently(world, uid, { amount: 2_147_483_648 });
    expect(await sendNotification(world, svc_uid, uid)).toEqual({ status: 200, outcome: 'recorded' });
    expect((await getOrder(world, uid)).amount).toBe(2_147_483_648);
  });

  test('without the key the API is closed', async () => {
    const response = await fetch(`${world.url}/api/orders/x`, { headers: { authorization: 'Bearer wrong' } });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: { code: 'unauthorized' } });
  });
});
