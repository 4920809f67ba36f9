// What each role may do: every action is refused to the roles below the one that it needs, and forms are shown only to those
// who may send them.

import { registerKey, type StoredKey } from '../../support/keys';
import { newUid, registerOrder } from '../../support/orders';
import { ROUTE_ACCESS } from '../../support/route-access';
import { expectNoEffect } from '../../support/rows';
import { useWorld } from '../../support/use-world';
import { makeAccount, signInAs } from './accounts-setup';

const world = useWorld();
const ROLES = ['view', 'decide', 'refund', 'admin'] as const;
type Role = (typeof ROLES)[number];
let filled: (path: string) => string;
beforeAll(async () => {
  for (const role of ROLES) await makeAccount(world, role, role);
  filled = await fill();
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

const isRole = (access: string): access is Role => (ROLES as readonly string[]).includes(access);
/** The routes of operators, each with the lowest role that may use it. */
const ROUTES = ROUTE_ACCESS.flatMap(({ access, ...route }) =>
  route.path.startsWith('/operator') && isRole(access) ? [{ ...route, needed: access }] : [],
);
const isAbove = (needed: Role, role: Role) => ROLES.indexOf(needed) > ROLES.indexOf(role);

/** What exists, in the place of the parameters of a path. */
async function fill(): Promise<(path: string) => string> {
  const { merchantUid, svcUid, discrepancyId } = await somethingToDo();
  const key = await registerKey(world);
  const plan = await somePlan(key);
  return (path: string) =>
    path
      .replace('subscriptions/{id}', `subscriptions/${plan}`)
      .replace('desk/{kind}/{id}', 'desk/discrepancies/{id}')
      .replace('{svc_uid}', svcUid)
      .replace('{merchant_uid}', merchantUid)
      .replace('{customer_uid}', key.customerUid)
      .replace('{member_id}', key.memberId)
      .replace('{id}', discrepancyId)
      .replace('{kind}', 'amount_mismatch')
      .replace('{event_id}', 'x:1');
}

/** Subscriptions are an option. */
async function somePlan(key: StoredKey): Promise<string> {
  const plan = 'plan-of-roles';
  await world.rows.query(
    `insert into subscriptions (subscription_id, customer_uid, member_id, name, amount, currency, "interval", first_payment_at,
       payment_at, check_at, created_at, updated_at)
     values ($1, $2, $3, 'Tea', 1000, 'KRW', 'month', now(), now(), now() + interval '1 day', now(), now())
     on conflict (subscription_id) do update set customer_uid = excluded.customer_uid`,
    [plan, key.customerUid, key.memberId],
  );
  return plan;
}

test.each(['view', 'decide', 'refund'] as const)(
  'the role %s can do nothing that needs more',
  async (role) => {
    const browser = await as(role);
    const form = {
      note: 'x',
      reason: 'x',
      resolution: 'ignored',
      name: 'lee',
      role: 'admin',
      scopes: 'read',
    };
    const above = ROUTES.filter(({ method, needed }) => method === 'post' && isAbove(needed, role));
    expect(above.length).toBeGreaterThan(4);
    const answers = await expectNoEffect(world, () =>
      Promise.all(
        above.map(async ({ path }) => {
          const { status, html } = await browser.post(filled(path), form);
          return [path, status, html.includes('role_missing')];
        }),
      ),
    );
    expect(answers).toEqual(above.map(({ path }) => [path, 403, true]));
  },
);

test.each(ROLES)('the role %s may use every route that needs no more', async (role) => {
  const browser = await as(role);
  // Pages are opened as the lowest role that may open them. markup.test.ts opens each page as an administrator.
  const routes = ROUTES.filter(
    ({ needed, method }) => !isAbove(needed, role) && (method === 'post' || needed === role),
  );
  expect(routes.length).toBeGreaterThan(10);
  for (const { method, path } of routes) {
    if (method === 'get') {
      const { status } = await browser.get(filled(path));
      // The page of a key is that of its member.
      expect([path, status]).toEqual([path, path.includes('{customer_uid}') ? 303 : 200]);
    } else {
      // Of nothing, so that nothing is done: what is missing is not the role.
      const { status, html } = await browser.post(path.replace(/\{\w+\}/g, '999999'), {});
      expect([path, [400, 404].includes(status), html.includes('role_missing')]).toEqual([path, true, false]);
    }
  }
});

test('pages of administrators are refused to every other role', async () => {
  const pages = ROUTES.filter(({ method, needed }) => method === 'get' && needed === 'admin');
  expect(pages.length).toBeGreaterThan(1);
  for (const role of ['view', 'decide', 'refund'] as const) {
    const browser = await as(role);
    for (const { path } of pages)
      expect([role, path, (await browser.get(path)).status]).toEqual([role, path, 403]);
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
    const places = ['/operator/accounts', '/operator/audit'].filter((path) =>
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
    admin: ['/operator/accounts', '/operator/audit', ...refunds],
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
