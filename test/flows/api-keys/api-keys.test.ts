// Named API keys: what a key may do, who used it, and when it ends. A key is shown once and stored as a hash.

import { ask } from '../../support/ask';
import { useOperator } from '../../support/browsers';
import { codeOf } from '../../support/calls';
import { API_KEY } from '../../support/config';
import { ROUTE_ACCESS } from '../../support/route-access';
import { useWorld } from '../../support/use-world';

const world = useWorld();
const kim = useOperator(world, 'kim');

let names = 0;
/** A key with these scopes, made with API_KEY. */
async function make(scopes: readonly string[], name = `system-${(names += 1)}`) {
  const { status, body } = await world.api('POST', '/api/keys', { name, scopes });
  expect(status).toBe(201);
  return { ...(body as { id: string; key: string }), name };
}
async function withKey(key: string, method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await ask(world.url, method, path, {
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: answer.body };
}
const statusWith = async (...asked: Parameters<typeof withKey>) => (await withKey(...asked)).status;
const storedKey = async (id: string) =>
  (await world.rows.query('select * from api_keys where id = $1', [id]))[0];

test('each route accepts a key that has only its scope, and refuses every other key without an effect', async () => {
  const scopes = ['read', 'orders', 'charge', 'refund', 'members', 'keys'];
  const keys = new Map<string, Record<'only' | 'others', Awaited<ReturnType<typeof make>>>>(
    await Promise.all(
      scopes.map(async (scope) => {
        const others = scopes.filter((other) => other !== scope);
        return [scope, { only: await make([scope]), others: await make(others) }] as const;
      }),
    ),
  );
  const routes = ROUTE_ACCESS.filter(({ path }) => path.startsWith('/api/'));
  expect(routes.length).toBeGreaterThan(20);
  const isAccepted = (status: number) => status < 500 && status !== 401 && status !== 403;
  for (const { method, path, access } of routes) {
    const address = path.replace(/\{\w+\}/g, 'nobody-1');
    const made = keys.get(access);
    if (!made) throw new Error(`no key has the scope ${access}`);
    const accepted = await statusWith(made.only.key, method, address);
    expect([method, path, accepted, isAccepted(accepted)]).toContain(true);
    // It has every scope but this one.
    const { status, body } = await withKey(made.others.key, method, address);
    const lacks = `The API key "${made.others.name}" lacks the scope "${access}".`;
    const refusal = [body.error?.code, body.error?.message];
    expect([path, status, ...refusal]).toEqual([path, 403, 'scope_missing', lacks]);
  }
  // API_KEY has every scope.
  expect(await statusWith(API_KEY, 'GET', '/api/keys')).toBe(200);
  expect(world.log.events('api_key_refused')).toContainEqual(
    expect.objectContaining({ reason: 'scope', api_key: keys.get('read')?.others.name }),
  );
});

test('a body of a caller without the scope is not read', async () => {
  const { key } = await make(['read']);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  expect((await ask(world.url, 'POST', '/api/orders', { headers, body: '{' })).status).toBe(403);
});

test('a key is in its own answer alone: in no row, list or log, and the request log has its name', async () => {
  const { id, key, name } = await make(['read', 'orders']);
  expect(key).toMatch(/^mkey_[\w-]{43}$/);
  expect(await statusWith(key, 'GET', '/api/orders')).toBe(200);
  const order = { merchant_uid: 'by-key', name: 'Tea', amount: 1000 };
  expect(await statusWith(key, 'POST', '/api/orders', order)).toBe(201);
  const { body } = await world.api('GET', '/api/keys');
  expect(body.list.find((each: { id: string }) => each.id === id)).toEqual({
    id,
    name,
    scopes: ['read', 'orders'],
    created_at: expect.any(String) as string,
    last_used_at: world.clock.now().toISOString(),
    revoked_at: null,
  });
  const secret = key.slice('mkey_'.length);
  for (const text of [JSON.stringify(body), world.log.text(), JSON.stringify(await world.rows.dump())])
    expect(text.includes(secret)).toBe(false);
  const named = world.log.lines().filter((line) => line['api_key'] === name);
  expect(named).toMatchObject([{ res: { status: 200 } }, { res: { status: 201 }, merchant_uid: 'by-key' }]);
  expect(world.log.lines().some((line) => line['api_key'] === 'API_KEY')).toBe(true);
});

test('the last use is written once a minute, not with each request', async () => {
  const { id, key } = await make(['read']);
  const use = async () => {
    expect(await statusWith(key, 'GET', '/api/orders')).toBe(200);
    return (await storedKey(id))?.['last_used_at'] as Date;
  };
  const first = await use();
  world.clock.advance(59);
  expect(await use()).toEqual(first);
  world.clock.advance(2);
  expect((await use()).getTime()).toBe(first.getTime() + 61_000);
});

test('a key that was revoked is 401 from the next request on, stays in the list, and leaves its name free', async () => {
  const { id, key, name } = await make(['read']);
  expect(await codeOf(world.api('POST', '/api/keys', { name, scopes: ['read'] }))).toEqual([
    409,
    'api_key_name_taken',
  ]);
  expect(await statusWith(key, 'GET', '/api/orders')).toBe(200);
  const revoked = await world.api('POST', `/api/keys/${id}/revoke`);
  expect(revoked).toMatchObject({ status: 200, body: { id, revoked_at: world.clock.now().toISOString() } });
  expect(await statusWith(key, 'GET', '/api/orders')).toBe(401);
  world.clock.advance(60);
  // Again changes nothing.
  expect((await world.api('POST', `/api/keys/${id}/revoke`)).body).toEqual(revoked.body);
  expect((await make(['read'], name)).id).not.toBe(id);
  const logged = world.log.events('api_key_revoked').filter((event) => event['id'] === id);
  expect(logged[0]).toMatchObject({ id, name, by: 'API_KEY' });
});

test('a key cannot give a scope that it lacks, and unknown names and scopes are refused', async () => {
  const { key } = await make(['keys', 'read']);
  const post = (body: object) => codeOf(withKey(key, 'POST', '/api/keys', body));
  expect(await post({ name: 'more', scopes: ['read', 'refund'] })).toEqual([403, 'scope_missing']);
  expect((await withKey(key, 'POST', '/api/keys', { name: 'less', scopes: ['read'] })).status).toBe(201);
  for (const wrong of [
    { name: 'API_KEY', scopes: ['read'] },
    { name: 'a', scopes: [] },
    { name: 'a', scopes: ['all'] },
    { name: 'a', scopes: ['read', 'read'] },
    { name: 'a', scopes: ['read'], expires: 'never' },
  ])
    expect(await post(wrong)).toEqual([400, 'invalid_request']);
});

const NEW_KEY = /mkey_[\w-]{43}/;

test.each([['ko'], ['en']])('an operator makes a key, sees it once, and revokes it (%s)', async (lang) => {
  const name = `by-operator-${lang}`;
  const path = `/operator/api-keys?lang=${lang}`;
  const made = await kim.post(path, { name, scopes: ['read', 'refund'] });
  const [key = ''] = NEW_KEY.exec(made.html) ?? [];
  expect(made.status).toBe(201);
  expect(await statusWith(key, 'GET', '/api/orders')).toBe(200);
  expect(world.log.events('api_key_made').at(-1)).toMatchObject({
    name,
    scopes: ['read', 'refund'],
    by: 'kim',
  });

  const shown = await kim.get(path);
  expect([shown.html.includes(name), NEW_KEY.test(shown.html)]).toEqual([true, false]);
  expect(shown.html).toContain('aria-current="page"');
  const [, id] = /api-keys\/(\d+)\/revoke/.exec(shown.html) ?? [];
  const revoked = await kim.post(`/operator/api-keys/${id}/revoke?lang=${lang}`, {});
  expect(revoked.status).toBe(200);
  expect(await statusWith(key, 'GET', '/api/orders')).toBe(401);
});

test('a form that is wrong makes no key and keeps what was typed', async () => {
  const { name: taken } = await make(['read']);
  const before = await world.rows.query('select id from api_keys');
  for (const [fields, status] of [
    [{ name: 'without-scopes' }, 400],
    [{ name: 'No "name"', scopes: 'read' }, 400],
    [{ name: taken, scopes: 'read' }, 409],
  ] as const) {
    const answer = await kim.post('/operator/api-keys?lang=en', fields);
    expect(answer.status).toBe(status);
    expect(answer.html).toContain(`value="${fields.name.replaceAll('"', '&quot;')}"`);
  }
  expect((await kim.post('/operator/api-keys/0/revoke', {})).status).toBe(404);
  expect(await world.rows.query('select id from api_keys')).toEqual(before);
});
