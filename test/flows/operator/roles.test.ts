// What each role may do: every action is refused to the roles below the one that it needs, and forms are shown only to those
// who may send them.

import { merchantRoutes } from '../../support/all-routes';
import { newUid, registerOrder } from '../../support/orders';
import { expectNoEffect } from '../../support/rows';
import { useWorld } from '../../support/use-world';
import { makeAccount, signInAs } from './accounts-setup';

const world = useWorld();
const ROLES = ['view', 'decide', 'refund', 'admin'] as const;
type Role = (typeof ROLES)[number];
beforeAll(async () => {
  for (const role of ROLES) await makeAccount(world, role, role);
});
const as = async (role: Role) => (await signInAs(world, role)).browser;

/** A paid order, and a discrepancy of another one: what most actions would act on. */
async function somethingToDo() {
  const [paid, differs] = [await registerOrder(world, newUid()), await registerOrder(world, newUid())];
  const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: paid, amount: 1000 });
  await world.sandbox.pay({ merchant_uid: differs, amount: 999 });
  const [discrepancy] = await world.rows.query('select id from discrepancies where merchant_uid = $1', [
    differs,
  ]);
  return { merchantUid: paid, svcUid, discrepancyId: String(discrepancy?.['id']) };
}

/** The role that an action needs, by its path. A new path without a role here fails the test. */
const NEEDED: [path: RegExp, role: Role][] = [
  [/^\/operator\/(accounts|api-keys|audit)\b/, 'admin'],
  [/\/(refund(\/check)?|approve|reject)$/, 'refund'],
  [/\/(sync|replay|dispute|note|resolve|settle)$/, 'decide'],
];
const neededFor = (path: string) => NEEDED.find(([pattern]) => pattern.test(path))?.[1];

const routesOfOperators = () =>
  merchantRoutes().filter(
    ({ path }) => /^\/operator/.test(path) && !/\/(sign-in|sign-out|me\/.+)$/.test(path),
  );

async function fill() {
  const { merchantUid, svcUid, discrepancyId } = await somethingToDo();
  return (path: string) =>
    path
      .replace('{svc_uid}', svcUid)
      .replace('{merchant_uid}', merchantUid)
      .replace('{id}', discrepancyId)
      .replace('{kind}', 'amount_mismatch')
      .replace('{event_id}', 'x:1');
}

test.each(['view', 'decide', 'refund'] as const)(
  'the role %s can do nothing that needs more',
  async (role) => {
    const filled = await fill();
    const browser = await as(role);
    const form = {
      note: 'x',
      reason: 'x',
      resolution: 'ignored',
      name: 'lee',
      role: 'admin',
      scopes: 'read',
    };
    const posts = routesOfOperators().filter(({ method }) => method === 'post');
    const above = posts.filter(({ path }) => {
      const needed = neededFor(path);
      return needed === undefined || ROLES.indexOf(needed) > ROLES.indexOf(role);
    });
    expect(above.length).toBeGreaterThan(5);
    for (const { path } of above) {
      const answer = await expectNoEffect(world, () => browser.post(filled(path), form));
      expect([path, answer.status]).toEqual([path, 403]);
      expect(answer.html).toContain('role_missing');
    }
  },
);

test('the role view sees every page that is not of administrators', async () => {
  const filled = await fill();
  const viewer = await as('view');
  for (const { method, path } of routesOfOperators()) {
    if (method !== 'get') continue;
    const { status } = await viewer.get(filled(path));
    expect([path, status === 403]).toEqual([path, neededFor(path) === 'admin']);
  }
});

test('each role is offered what it may do', async () => {
  const { svcUid, discrepancyId } = await somethingToDo();
  const offered: Record<string, string[]> = {};
  for (const role of ROLES) {
    const browser = await as(role);
    const pages = [`/operator/payments/${svcUid}`, `/operator/desk/discrepancies/${discrepancyId}`];
    const html = (await Promise.all(pages.map(async (page) => (await browser.get(page)).html))).join('');
    const actions = [...html.matchAll(/action="\/operator\/\w+\/[^"]*\/(\w+)"/g)].map(
      ([, action = '']) => action,
    );
    const places = ['/operator/accounts', '/operator/api-keys', '/operator/audit'].filter((path) =>
      html.includes(`href="${path}"`),
    );
    offered[role] = [...new Set([...actions, ...places])].sort();
  }
  const decides = ['dispute', 'note', 'replay', 'resolve', 'sync'];
  // The first step of a refund.
  const refunds = ['check', ...decides];
  expect(offered).toEqual({
    view: [],
    decide: decides,
    refund: refunds,
    admin: ['/operator/accounts', '/operator/api-keys', '/operator/audit', ...refunds],
  });
});

test('the role decide decides and cannot refund; the role refund refunds and manages no accounts', async () => {
  const { svcUid, discrepancyId } = await somethingToDo();
  const [decider, refunder] = [await as('decide'), await as('refund')];
  const refund = { how: 'all', checksum: '1000', reason: 'returned' };
  expect((await decider.post(`/operator/payments/${svcUid}/refund`, refund)).status).toBe(403);
  expect((await decider.post(`/operator/desk/discrepancies/${discrepancyId}/refund`, refund)).status).toBe(
    403,
  );
  expect((await refunder.post(`/operator/payments/${svcUid}/refund`, refund)).status).toBe(303);
  const note = { note: 'seen' };
  expect((await decider.post(`/operator/desk/discrepancies/${discrepancyId}/note`, note)).status).toBe(303);
  expect((await refunder.post('/operator/accounts', { name: 'lee', role: 'admin' })).status).toBe(403);
  const [row] = await world.rows.query('select requested_by from refunds where svc_uid = $1', [svcUid]);
  expect(row).toEqual({ requested_by: 'refund' });
});
