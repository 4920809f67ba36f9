// OPERATOR_IDENTITY_HEADER: a trusted proxy names the operator, and nobody else can.

import { ask } from '../../support/ask';
import { createMemberBrowser, type OperatorBrowser } from '../../support/browsers';
import { send } from '../../support/raw-http';
import { useWorld } from '../../support/use-world';
import { startWorld } from '../../support/world';
import { makeAccount, signInAs } from './accounts-setup';

const world = useWorld({ environment: { OPERATOR_IDENTITY_HEADER: 'X-Forwarded-User' } });
beforeAll(async () => {
  await makeAccount(world, 'kim', 'admin');
  await makeAccount(world, 'lee', 'view');
  await makeAccount(world, '김하나', 'view');
  await makeAccount(world, 'gone', 'admin');
  await world.rows.query(`update operators set disabled_at = now() where name = 'gone'`);
});

const statusAs = async (name: string, path = '/operator/orders') =>
  (await createMemberBrowser(world).get(path, { 'x-forwarded-user': name })).status;

test('a trusted proxy names an account, with its role', async () => {
  expect([await statusAs('kim'), await statusAs('lee')]).toEqual([200, 200]);
  expect([await statusAs('kim', '/operator/accounts'), await statusAs('lee', '/operator/accounts')]).toEqual([
    200, 403,
  ]);
  expect(await statusAs(Buffer.from('김하나').toString('latin1'))).toBe(200);
  const { html } = await createMemberBrowser(world).get('/operator?lang=en', { 'x-forwarded-user': 'kim' });
  expect(html).not.toContain('Sign out');
});

test('an unknown name, a disabled account, two headers and no header are refused', async () => {
  for (const name of ['nobody', 'gone', '', 'Kim']) expect([name, await statusAs(name)]).toEqual([name, 403]);
  const twice = await send(world.url, '/operator/orders', {
    method: 'GET',
    headers: { 'x-forwarded-user': ['kim', 'kim'] },
  });
  expect(twice.status).toBe(403);
  expect((await createMemberBrowser(world).get('/operator/orders')).status).toBe(403);
});

test('the sign-in form is off', async () => {
  const browser: OperatorBrowser = createMemberBrowser(world);
  expect((await browser.get('/operator/sign-in')).location).toBe('/operator');
  const { answer } = await signInAs(world, 'kim');
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
});

test('a cross-site post is refused, although the proxy adds the name to it', async () => {
  const answer = await ask(world.url, 'POST', '/operator/accounts', {
    headers: {
      'x-forwarded-user': 'kim',
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'name=evil&role=admin',
  });
  expect(answer.status).toBe(403);
  expect(await world.rows.query(`select from operators where name = 'evil'`)).toEqual([]);
});

test('from an address that is no trusted proxy the header is not believed', async () => {
  const exposed = await startWorld({
    environment: { OPERATOR_IDENTITY_HEADER: 'X-Forwarded-User', TRUSTED_PROXIES: '192.0.2.1' },
  });
  try {
    await makeAccount(exposed, 'kim', 'admin');
    const headers = { 'x-forwarded-user': 'kim', 'x-forwarded-for': '192.0.2.1' };
    expect((await createMemberBrowser(exposed).get('/operator/orders', headers)).status).toBe(403);
  } finally {
    await exposed.close();
  }
});
