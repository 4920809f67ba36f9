// Every statement of a merchant goes through its Prisma client, except those of the job engine and of the lock of reconciliation. The
// transaction of a result is plain SQL: `$statements` sends it over the client's own pool (database-transaction.ts).

import { Client, type QueryConfig } from 'pg';
import { registerKey } from '../support/card-form';
import { charge, newUid, registerOrder } from '../support/orders';
import { ROWS_CONNECTION } from '../support/rows';
import { useFreshWorld } from '../support/use-world';
import { payOrder, RECORDED } from './webhooks/setup';

const world = useFreshWorld();

type Config = QueryConfig & { rowMode?: string };
type Watched = Client & { connectionParameters: { application_name?: string } };
/** Statements by their path. */
type Sent = { prisma: number; transaction: string[]; elsewhere: string[] };

async function sentDuring(act: () => Promise<unknown>): Promise<Sent> {
  const sent: Sent = { prisma: 0, transaction: [], elsewhere: [] };
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
    if (application !== 'merchant') {
      if (!text.includes('graphile_worker')) sent.elsewhere.push(text);
      // The adapter of Prisma requests rows as arrays.
    } else if (rowMode === 'array') sent.prisma += 1;
    else sent.transaction.push(name);
  }
}

const VERDICT = ['begin', 'move-orders', 'save-payments', 'save-events', 'save-results', 'commit'];

test('a card is registered through the Prisma client', async () => {
  const sent = await sentDuring(() => registerKey(world));
  expect(sent).toMatchObject({ transaction: [], elsewhere: [] });
  expect(sent.prisma).toBeGreaterThan(5);
});

test('a notification is stored through the client, and its result is one transaction of the same pool', async () => {
  const { notify } = await payOrder(world);
  const sent = await sentDuring(async () => expect(await notify()).toEqual(RECORDED));
  expect(sent).toMatchObject({ transaction: VERDICT, elsewhere: [] });
  expect(sent.prisma).toBeGreaterThanOrEqual(1);
});

test('a charge goes through the client, and the payment that it makes is one transaction', async () => {
  const { customerUid } = await registerKey(world);
  const merchantUid = newUid();
  await registerOrder(world, merchantUid);
  const sent = await sentDuring(() =>
    world.withoutNotifications(() => charge(world, merchantUid, customerUid)),
  );
  expect(sent).toMatchObject({
    transaction: VERDICT.filter((name) => name !== 'save-results'),
    elsewhere: [],
  });
  expect(sent.prisma).toBeGreaterThan(3);
});
