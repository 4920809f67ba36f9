// Many clients at the same time, each with a card of its own, which work until they are told to stop.

import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '../seeded-random';
import { registerCard, type Client } from './clients';
import type { Ledger } from './ledger';
import type { Stage } from './stage';

export type CrowdOptions = {
  stage: Stage;
  ledger: Ledger;
  seed: number;
  /** The name of a kind of client, what it does again and again, and how many there are. */
  clients: readonly (readonly [name: string, act: (client: Client) => Promise<void>, count: number])[];
  /** The least and the most that a client waits before it acts again. */
  pauseMs: readonly [least: number, most: number];
};

export type Crowd = {
  /** Until this has ended, and then until each client has done what it was at. The signal says that a client has failed. */
  during<Result>(act: (failed: AbortSignal) => Promise<Result>): Promise<Result>;
};

export async function startCrowd(options: CrowdOptions): Promise<Crowd> {
  const clients = await createClients(options);
  const stopping = new AbortController();
  const working = Promise.all(
    clients.map(({ client, act }) => work(client, act, options.pauseMs, stopping.signal)),
  );
  const failed = new AbortController();
  working.catch(() => failed.abort());
  return {
    async during(act) {
      try {
        return await act(failed.signal);
      } finally {
        stopping.abort();
        await working;
      }
    },
  };
}

async function createClients({ stage, ledger, seed, clients }: CrowdOptions) {
  const all = clients.flatMap(([name, act, count]) =>
    Array.from({ length: count }, (_, index) => ({ act, name: `${name}${index}` })),
  );
  return Promise.all(
    all.map(async ({ act, name }, index) => {
      const random = seededRandom(seed + 1000 * (index + 1));
      const customerUid = await firstCard({ stage, ledger, random });
      return { act, client: { name, stage, ledger, random, customerUid } };
    }),
  );
}

/** Each try is a new member's, because a busy machine may lose the answer of one. */
async function firstCard(client: Parameters<typeof registerCard>[0]): Promise<string> {
  for (let tries = 0; tries < 5; tries += 1) {
    const card = await registerCard(client);
    if (card) return card.customerUid;
  }
  throw new Error(`no first card was registered: ${JSON.stringify([...client.ledger.answers])}`);
}

async function work(
  client: Client,
  act: (client: Client) => Promise<void>,
  [least, most]: CrowdOptions['pauseMs'],
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    await act(client);
    await pause(client.random.between(least, most));
  }
}
