// Every statement of a merchant goes through its Prisma client, except those of the job engine and of the lock of reconciliation.
// Those of a notification and of its event are plain SQL: `$statement` and `$statements` send them over the client's own pool
// (database-transaction.ts).

import { Client, type QueryConfig } from 'pg';
import { registerKey } from '../support/keys';
import { charge, newUid, registerOrder } from '../support/orders';
import { ROWS_CONNECTION } from '../support/rows';
import { useWorld } from '../support/use-world';
import { payOrder, RECORDED } from './webhooks/setup';

const world = useWorld();

type Config = QueryConfig & { rowMode?: string };
type Watched = Client & { connectionParameters: { application_name?: string } };
/** Statements by their path. */
type Sent = { prisma: number; pool: string[]; elsewhere: string[] };

async function sentDuring(act: () => Promise<unknown>): Promise<Sent> {
  const sent: Sent = { prisma: 0, pool: [], elsewhere: [] };
  const original = Object.getOwnPropertyDescriptor(Client.prototype, 'query') as PropertyDescriptor;
  const query = original.value as (...args: unknown[]) => unknown;
  Object.defineProperty(Client.prototype, 'query', {
    ...original,
    value(this: Watched, ...args: unknown[]) {
      note(this.connectionParameters.application_name, args[0] as Config | string);
      return query.apply(this, args);
    },
  });
  try {
    await act();
  } finally {
    Object.defineProperty(Client.prototype, 'query', original);
  }
  return sent;

  function note(application: string | undefined, config: Config | string): void {
    const { text, name = text, rowMode }: Config = typeof config === 'string' ? { text: config } : config;
    if (application === ROWS_CONNECTION) return;
    // The check of a new connection (database-session.ts).
    if (text.startsWith('values (')) return;
    if (application !== 'merchant') {
      if (!text.includes('graphile_worker')) sent.elsewhere.push(text);
      // The adapter of Prisma requests rows as arrays.
    } else if (rowMode === 'array') sent.prisma += 1;
    else sent.pool.push(name);
  }
}

const VERDICT = ['begin', 'update-order-status', 'save-payments', 'save-events', 'commit'];

test('a card is registered through the Prisma client', async () => {
  const sent = await sentDuring(() => registerKey(world));
  expect(sent).toMatchObject({ pool: [], elsewhere: [] });
  expect(sent.prisma).toBeGreaterThan(5);
});

test('a notification is stored over the pool of the client, and its result is one transaction there', async () => {
  const { notify } = await payOrder(world);
  const sent = await sentDuring(async () => expect(await notify()).toEqual(RECORDED));
  expect(sent).toMatchObject({ pool: ['store-notifications', ...VERDICT, 'save-results'], elsewhere: [] });
});

test('a charge goes through the client, and the payment that it makes is one transaction', async () => {
  const { customerUid } = await registerKey(world);
  const merchantUid = newUid();
  await registerOrder(world, merchantUid);
  const sent = await sentDuring(() =>
    world.withoutNotifications(() => charge(world, merchantUid, customerUid)),
  );
  expect(sent).toMatchObject({
    pool: VERDICT,
    elsewhere: [],
  });
  expect(sent.prisma).toBeGreaterThan(3);
});
