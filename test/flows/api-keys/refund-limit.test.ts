// An API key with a refund limit: what it may refund of one payment, and which keys it may make.

import { ask } from '../../support/ask';
import { useOperator } from '../../support/browsers';
import { payForNobody, refundsOf } from '../../support/discrepancies';
import { newUid, registerOrder } from '../../support/orders';
import { useWorld } from '../../support/use-world';

const world = useWorld({ environment: { REFUND_LIMIT: '700' } });
const kim = useOperator(world, 'kim');

async function withKey(key: string, path: string, body: object) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const { status, body: answer } = await ask(world.url, 'POST', path, {
    headers,
    body: JSON.stringify(body),
  });
  return [status, (answer as { error?: { code?: string } }).error?.code];
}

async function keyWith(limit: number | undefined, scopes = ['refund', 'keys']) {
  const name = newUid()
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/^/, 'k')
    .slice(0, 30);
  const { status, body } = await world.api('POST', '/api/keys', { name, scopes, refund_limit: limit });
  expect([status, (body as { refund_limit?: number }).refund_limit]).toEqual([201, limit]);
  return (body as { key: string }).key;
}

async function pay(amount = 1000) {
  const merchantUid = await registerOrder(world, newUid(), { amount });
  return (await world.sandbox.pay({ merchant_uid: merchantUid, amount })).svc_uid;
}

test('a key refunds up to its limit of a payment, also in parts, and nothing above it', async () => {
  const key = await keyWith(500);
  const svcUid = await pay();
  const refund = (amount: number | undefined, checksum: number) =>
    withKey(key, `/api/payments/${svcUid}/cancel`, {
      ...(amount && { amount }),
      checksum,
      reason: 'cold tea',
    });
  const above = [403, 'refund_limit_exceeded'];
  expect(await refund(undefined, 1000)).toEqual(above);
  expect(await refund(501, 1000)).toEqual(above);
  expect(await refundsOf(world, svcUid)).toEqual([]);
  expect(await refund(300, 1000)).toEqual([200, undefined]);
  expect(await refund(201, 700)).toEqual(above);
  expect(await refund(200, 700)).toEqual([200, undefined]);
  expect(await refundsOf(world, svcUid)).toHaveLength(2);
  // API_KEY has no limit.
  const rest = { reason: 'cold tea' };
  expect((await world.api('POST', `/api/payments/${svcUid}/cancel`, rest)).status).toBe(200);
});

test('the limit holds for a payment that fits no order as well', async () => {
  const { id } = await payForNobody(world, newUid());
  const refused = await withKey(await keyWith(1), `/api/discrepancies/${id}/refund`, { reason: 'cold tea' });
  expect(refused).toEqual([403, 'refund_limit_exceeded']);
});

test('a key with a limit makes no key with a higher one, or without one', async () => {
  const key = await keyWith(500);
  const make = (fields: object) => withKey(key, '/api/keys', { name: 'other', ...fields });
  const refused = [403, 'api_key_limit_exceeded'];
  expect(await make({ scopes: ['refund'] })).toEqual(refused);
  expect(await make({ scopes: ['refund'], refund_limit: 501 })).toEqual(refused);
  expect(await make({ scopes: ['refund'], refund_limit: 0 })).toEqual([400, 'invalid_request']);
  expect(await make({ scopes: ['refund'], refund_limit: 500 })).toEqual([201, undefined]);
});

test('O9 with REFUND_LIMIT, the page makes no key that refunds more than one operator may', async () => {
  const make = async (fields: Record<string, string>) =>
    (await kim.post('/operator/api-keys?lang=en', { name: 'till', scopes: 'refund', ...fields })).status;
  expect([await make({}), await make({ refund_limit: '701' }), await make({ refund_limit: 'x' })]).toEqual([
    403, 403, 400,
  ]);
  expect(await world.rows.query(`select 1 from api_keys where name = 'till'`)).toEqual([]);
  expect(await make({ refund_limit: '700' })).toBe(201);
  expect((await kim.get('/operator/api-keys?lang=en')).html).toContain('₩700');
});

test('a limit of our own in a message is not masked', async () => {
  const { body } = await world.api('POST', '/api/orders', {
    merchant_uid: newUid(),
    amount: 1e300,
    name: 'tea',
  });
  expect(JSON.stringify(body)).not.toContain('*');
  const { body: other } = await world.api('POST', '/api/orders', { x4242424242424242: 1 });
  expect(JSON.stringify(other)).not.toContain('4242424242424242');
});
