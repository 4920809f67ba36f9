// What our pages show works as it stands there: each request of a page is sent, in the order of the page, and each statement
// of SQL is run. test/repository/code-blocks.test.ts checks the rest without running it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callService } from '../support/calls';
import { registerKey } from '../support/card-form';
import { CARD } from '../support/cards';
import { API_KEY } from '../support/config';
import { notificationsOf, orderStatus, paySilently, registerOrder } from '../support/orders';
import { queryOnce } from '../support/rows';
import { ROOT } from '../support/shop-copy';
import { useWorld } from '../support/use-world';
import type { World } from '../support/world';
import { allCodeBlocks, codeBlocksOf, markdownPages, placeOf } from './pages/code-blocks';
import { documentedRequest, type DocumentedRequest } from './pages/documented-requests';
import { linksOf } from './pages/markdown-links';
import { sendDocumented } from './pages/send-documented';
import { shellCommands } from './pages/shell-commands';

const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');

describe('a shop that sells tea', () => {
  const world = useWorld();
  const variables: Record<string, string> = { MERCHANT: '', API_KEY };
  beforeAll(async () => {
    const { customerUid } = await registerKey(world);
    await world.rows.query(`update billing_keys set member_id = 'member-7'`);
    await registerOrder(world, 'order-1003');
    const { svc_uid: svcUid } = await paySilently(world, 'order-1003');
    Object.assign(variables, { CUSTOMER_UID: customerUid, SVC_UID: svcUid });
  });

  test.each([
    ['docs/guides/own-checkout.md', [201, 201, 200, 200, 200, 200]],
    ['docs/guides/existing-orders.md', [201, 200, 200, 200, 200, 200]],
    ['docs/guides/order-events.md', [200, 200, 202]],
    ['docs/guides/restore.md', [200, 200]],
    ['docs/guides/proxies.md', [200, 200, 403]],
    ['docs/guides/two-processes.md', [201, 200, 200, 200]],
  ])('the requests of %s are answered as the page says', async (page, expected) => {
    // What the page's own statement makes is not here, nor is its proxy.
    const requests = requestsOf(page).filter(({ method, body }) => body !== '$order' && method !== 'PATCH');
    expect(requests).toHaveLength(expected.length);
    expect(await sendAll(world, requests, variables)).toEqual(expected);
  });

  test('the requests of docs/guides/refunds.md give back a part and the rest, a deposit, and lose an answer', async () => {
    const pay = async (merchantUid: string, changes = {}) => {
      await registerOrder(world, merchantUid, { amount: 12000 });
      return (await world.sandbox.pay({ merchant_uid: merchantUid, amount: 12000, ...changes })).svc_uid;
    };
    const deposit = await pay('tin-2', { outcome: 'virtual_account' });
    await world.sandbox.control(deposit, 'deposit');
    const paid = { SVC_UID: await pay('tin-1'), DEPOSIT_UID: deposit, LOST_UID: await pay('tin-3') };
    const [part, ...others] = requestsOf('docs/guides/refunds.md') as [DocumentedRequest];
    const answers = await sendAll(world, [part, part, ...others], { ...variables, ...paid });
    expect(answers).toEqual([200, 409, 200, 200, 200, 202, 200, 200]);
    const states = ['tin-1', 'tin-2', 'tin-3'].map((uid) => orderStatus(world, uid));
    expect(await Promise.all(states)).toEqual(['cancelled', 'cancelled', 'paid']);
    await world.advance(6);
    expect(await orderStatus(world, 'tin-3')).toBe('cancelled');
  });

  test('the requests of docs/guides/testing.md make a payment fail, a deposit late, and a fetch that is made again', async () => {
    const requests = requestsOf('docs/guides/testing.md');
    const [beforeDeposit, afterwards] = [requests.slice(0, 3), requests.slice(3)];
    expect(await sendAll(world, beforeDeposit, variables)).toEqual([201, 200, 200]);
    const [account] = (await world.api('GET', '/api/orders/try-1')).body.payments;
    expect(await sendAll(world, afterwards, { SVC_UID: account.svc_uid })).toEqual([200, 200, 200, 200]);
    const outcomes = await notificationsOf(world, 'try-1');
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['recorded', 'recorded', 'queued']);
    expect(await orderStatus(world, 'try-1')).toBe('paid');
    await world.sandbox.clearFaults();
  });

  test('the answers that a guide shows have the fields of the real ones', async () => {
    const [cards, synced] = codeBlocksOf('', read('docs/guides/own-checkout.md'))
      .filter(({ language }) => language === 'json')
      .map(({ code }): any => JSON.parse(code));
    const { body } = await world.api('GET', '/api/members/member-7/cards');
    expect(Object.keys(cards[0])).toEqual(Object.keys(body[0]));
    const sync = await world.api('POST', `/api/payments/${variables['SVC_UID']}/sync`, {
      merchant_uid: 'order-1003',
    });
    expect(Object.keys(synced)).toEqual(Object.keys(sync.body));
    for (const field of Object.keys(synced.payment)) expect(sync.body.payment).toHaveProperty(field);
  });
});

describe('a new merchant', () => {
  const world = useWorld();
  const variables: Record<string, string> = { MERCHANT: '', API_KEY, KEY: API_KEY };
  beforeAll(async () => {
    await callService(world, '/subscribe/customers/card_kim', CARD);
    await world.rows.query(
      `insert into billing_keys (customer_uid, member_id, status, created_at, updated_at)
       values ('card_kim', 'kim', 'active', now(), now())`,
    );
  });

  test('the requests of README.md pay an order', async () => {
    expect(await sendAll(world, requestsOf('README.md'), variables)).toEqual([201, 200, 200]);
    expect((await world.api('GET', '/api/orders/order-1001')).body.status).toBe('paid');
  });

  test('the requests of docs/going-live.md pay the first order and give the money back', async () => {
    const requests = requestsOf('docs/going-live.md');
    const back = requests.findIndex(({ path }) => path.endsWith('/cancel'));
    const first = requests.slice(0, back).map((request) => withId(request, 'CUSTOMER_UID', 'card_kim'));
    expect(await sendAll(world, first, variables)).toEqual([201, 200, 200, 200]);
    const { body } = await world.api('GET', '/api/orders/first-100-won');
    const second = requests
      .slice(back)
      .map((request) => withId(request, 'svc_1234567890', body.payments[0].svc_uid));
    expect(await sendAll(world, second, variables)).toEqual([200, 200]);
    expect((await world.api('GET', '/api/orders/first-100-won')).body.status).toBe('cancelled');
  });

  test('the requests of docs/guides/subscriptions.md begin a plan, end it, and let the time pass', async () => {
    const requests = requestsOf('docs/guides/subscriptions.md');
    expect(await sendAll(world, requests, variables)).toEqual([201, 200, 200, 200, 200]);
  });

  test('the request of docs/personal-data.md erases a member', async () => {
    expect(await sendAll(world, requestsOf('docs/personal-data.md'), variables)).toEqual([200]);
  });

  test('the lists of docs/runbook.md are answered', async () => {
    const requests = requestsOf('docs/runbook.md').filter(
      // The sandbox knows no such key; the service answers 404 as well.
      ({ method, path }) => method === 'GET' && !path.startsWith('/api/billing-keys'),
    );
    expect(requests.length).toBeGreaterThan(9);
    expect(await sendAll(world, requests, variables)).toEqual(requests.map(() => 200));
  });

  test('the addresses on this machine that pages link to are there', async () => {
    await registerOrder(world, 'order-1002', { amount: 12000 });
    const links = markdownPages()
      .flatMap(linksOf)
      .filter((link) => link.startsWith('http://localhost'));
    expect(links.length).toBeGreaterThan(2);
    for (const link of new Set(links)) {
      const to = link.includes(':4010') ? world.sandbox.url : world.url;
      const { status } = await fetch(link.replace(/^http:\/\/localhost:\d+/, to));
      expect([link, status]).toEqual([link, 200]);
    }
  });

  // Roles belong to the whole cluster: test/flows/database-roles.test.ts makes those of docs/going-live.md.
  const statements = allCodeBlocks().filter(
    ({ language, code }) => language === 'sql' && !code.includes('create role'),
  );

  test.each(statements.map((block) => [placeOf(block), block] as const))(
    'the SQL of %s runs on the schema of this version',
    async (_place, { code }) => {
      expect(code).not.toMatch(/\b(begin|commit|rollback)\b/i);
      // An index that is built beside the work on its table cannot be undone. What it says is the same.
      const undoable = code.replaceAll(/ CONCURRENTLY\b/gi, '');
      await queryOnce(world.databaseUrl, `begin; ${undoable}; rollback`);
    },
  );

  test('there are statements, and one of another schema fails', async () => {
    expect(statements.length).toBeGreaterThan(3);
    await expect(queryOnce(world.databaseUrl, 'delete from card_limit')).rejects.toThrow(/card_limit/);
  });
});

/** Every request of a page, in its order. */
function requestsOf(page: string): DocumentedRequest[] {
  const blocks = codeBlocksOf(page, read(page)).filter(({ language }) => language === 'sh');
  return blocks
    .flatMap(({ code }) => shellCommands(code))
    .flatMap((command) => documentedRequest(command) ?? []);
}

function withId(request: DocumentedRequest, shown: string, id: string): DocumentedRequest {
  const { path, body } = request;
  return { ...request, path: path.replace(shown, id), body: body?.replace(shown, id) ?? null };
}

/** One after the other; what a request sets off has happened before the next. Returns the statuses. */
async function sendAll(
  world: World,
  requests: readonly DocumentedRequest[],
  variables: Record<string, string>,
): Promise<number[]> {
  const statuses: number[] = [];
  for (const request of requests) statuses.push((await sendDocumented(world, request, variables)).status);
  return statuses;
}
