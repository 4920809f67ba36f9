// Many concurrent clients, each with its own card. They work until they are stopped.

import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '../seeded-random';
import { registerCard, type Client } from './clients';
import type { Ledger } from './ledger';
import type { Stage } from './stage';

export type CrowdOptions = {
  stage: Stage;
  ledger: Ledger;
  seed: number;
  /** Each kind of client: its name, its repeated action, and the number of clients. */
  clients: readonly (readonly [name: string, act: (client: Client) => Promise<void>, count: number])[];
  /** The minimum and maximum pause of a client between two actions. */
  pauseMs: readonly [least: number, most: number];
};

export type Crowd = {
  /** Runs the clients while `act` runs, then lets each finish its action. The signal is aborted if a client fails. */
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

/** Each try uses a new member, because a busy machine may lose an answer. */
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
