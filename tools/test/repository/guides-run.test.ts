// The examples of our pages work unchanged: the requests of each page are sent in order, and each SQL statement is run.
// tools/test/repository/code-blocks.test.ts checks the rest without running it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callService } from '../../../test/support/calls';
import { CARD } from '../../../test/support/cards';
import { API_KEY } from '../../../test/support/config';
import { registerKey } from '../../../test/support/keys';
import { paySilently, registerOrder } from '../../../test/support/orders';
import { queryOnce } from '../../../test/support/rows';
import { ROOT } from '../../../test/support/shop-copy';
import { useWorld } from '../../../test/support/use-world';
import type { World } from '../../../test/support/world';
import { allCodeBlocks, codeBlocksOf, placeOf } from './pages/code-blocks';
import { documentedRequest, type DocumentedRequest } from './pages/documented-requests';
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

  // The third page names an order of the first.
  test('the requests of the guides, one page after the other, have the answers of their page', async () => {
    const expected: [page: string, statuses: number[]][] = [
      ['docs/03-guides/2-own-checkout.md', [201, 201, 200, 200, 200]],
      ['docs/03-guides/3-existing-orders.md', [201, 200, 200, 200, 200]],
      ['docs/03-guides/4-order-events.md', [200, 200, 202]],
      ['docs/03-guides/11-another-language.md', [201]],
      ['docs/07-maintenance.md', [200, 200]],
    ];
    for (const [page, statuses] of expected) {
      // The table of the page's own statement does not exist here.
      const requests = requestsOf(page).filter(({ body }) => body !== '$order');
      expect([page, await sendAll(world, requests, variables)]).toEqual([page, statuses]);
    }
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
    expect((await world.api('GET', '/api/orders/tea-1')).body.status).toBe('paid');
  });

  test('the requests of docs/04-going-live.md pay the first order and refund it', async () => {
    const requests = requestsOf('docs/04-going-live.md');
    const back = requests.findIndex(({ path }) => path.endsWith('/cancel'));
    const first = requests.slice(0, back).map((request) => withId(request, 'CUSTOMER_UID', 'card_kim'));
    expect(await sendAll(world, first, variables)).toEqual([200, 200, 403, 201, 200, 200, 200]);
    const { body } = await world.api('GET', '/api/orders/first-100-won');
    const second = requests
      .slice(back)
      .map((request) => withId(request, 'svc_1234567890', body.payments[0].svc_uid));
    expect(await sendAll(world, second, variables)).toEqual([200, 200]);
    expect((await world.api('GET', '/api/orders/first-100-won')).body.status).toBe('cancelled');
  });

  test('the requests of docs/03-guides/6-subscriptions.md create and cancel a plan, and that of docs/09-data.md erases a member', async () => {
    const requests = requestsOf('docs/03-guides/6-subscriptions.md');
    expect(await sendAll(world, requests, variables)).toEqual([201, 200, 200, 200, 200]);
    // The member is erased.
    expect(await sendAll(world, requestsOf('docs/09-data.md'), variables)).toEqual([200]);
  });

  // Roles belong to the whole cluster: test/flows/database-roles.test.ts makes those of docs/04-going-live.md.
  const statements = allCodeBlocks().filter(
    ({ language, code }) => language === 'sql' && !code.includes('create role'),
  );

  expect(statements.length).toBeGreaterThan(3);
  test.each(statements.map((block) => [placeOf(block), block] as const))(
    'the SQL of %s runs on the schema of this version',
    async (_place, { code }) => {
      expect(code).not.toMatch(/\b(begin|commit|rollback)\b/i);
      // `create index concurrently` cannot be rolled back, so the same index is built without it.
      const undoable = code.replaceAll(/ CONCURRENTLY\b/gi, '');
      await queryOnce(world.databaseUrl, `begin; ${undoable}; rollback`);
    },
  );
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

/** Sends them one after the other, each after the effects of the one before. Returns the statuses. */
async function sendAll(
  world: World,
  requests: readonly DocumentedRequest[],
  variables: Record<string, string>,
): Promise<number[]> {
  const statuses: number[] = [];
  for (const request of requests) statuses.push((await sendDocumented(world, request, variables)).status);
  return statuses;
}
