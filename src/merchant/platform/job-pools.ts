// The connections of the job engine: those that take jobs and write what became of them, and those that enqueue. Jobs and
// requests have pools of their own, so that they cannot starve each other.

import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { LimitedClient, LimitedPool } from './database-pool';
import type { Logger } from './logger';

/** How long the engine waits before it asks again for a connection. */
const CONNECT_AGAIN_MS = 1000;
/** Beside one for each job: the connection that listens, and one for the crontab. */
const ENGINE_CONNECTIONS = 2;
const ENQUEUEING_CONNECTIONS = 2;

/** To enqueue over: it fails within seconds while the database is away, as a request has to. */
export function openEnqueueingPool(databaseUrl: string, logger: Logger): Pool {
  return watched(new LimitedPool({ connectionString: databaseUrl, max: ENQUEUEING_CONNECTIONS }), logger);
}

/**
 * For the engine (graphile-worker 0.17.3), which does not await the statement that ends a job: where that fails, nobody
 * handles the rejection, and the process ends. So a connection is waited for as long as the database is away, and a
 * statement that fails because of the database's state carries a code that the engine answers by trying again.
 * @param concurrency of jobs
 * @param stopping is aborted when this process stops: then nothing is waited for
 */
export function openWorkingPool(
  databaseUrl: string,
  concurrency: number,
  logger: Logger,
  stopping: AbortSignal,
): Pool {
  const max = concurrency + ENGINE_CONNECTIONS;
  const config = { connectionString: databaseUrl, max, Client: WorkingClient };
  return watched(new WaitingPool(config, logger, stopping), logger);
}

class WorkingClient extends LimitedClient {
  protected override judge(error: unknown): unknown {
    const judged = super.judge(error) as { code?: string };
    // Refused values and objects that are missing or there already are the engine's own affair.
    if (!/^(22|23|42)...$/.test(judged.code ?? '')) judged.code = 'ETIMEDOUT';
    return judged;
  }
}

type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: unknown) => void,
) => void;

class WaitingPool extends LimitedPool {
  constructor(
    config: ConstructorParameters<typeof LimitedPool>[0],
    private readonly logger: Logger,
    private readonly stopping: AbortSignal,
  ) {
    super(config);
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<PoolClient> | undefined {
    const client = this.connectWhenPossible();
    if (!callback) return client;
    client.then(
      (each) => callback(undefined, each, (error) => each.release(error as Error)),
      (error: unknown) => callback(error as Error, undefined, () => undefined),
    );
    return undefined;
  }

  private async connectWhenPossible(): Promise<PoolClient> {
    const endsJob = this.stopping.aborted;
    for (let tries = 1; ; tries += 1) {
      try {
        return await super.connect();
      } catch (error) {
        // After a stop, only the end of a job is still to be written. Its row is taken up again, and nobody awaits this.
        if (endsJob) return new Promise<never>(() => undefined);
        if (this.stopping.aborted) return new NoConnection() as unknown as PoolClient;
        if (tries === 1) this.logger.warn({ event: 'jobs_wait_for_database', err: error });
        await pause(CONNECT_AGAIN_MS, undefined, { signal: this.stopping }).catch(() => undefined);
      }
    }
  }
}

/**
 * Handed out where a process stops while the database is away: there is no job to take, and nothing can be written. An
 * error would be a rejection that the engine does not handle, or a stack that it prints past our log.
 */
class NoConnection extends EventEmitter {
  query = () => Promise.resolve({ rows: [] });
  release = () => undefined;
}

/** A connection that breaks, idle or in use, must not end the process; the engine takes another. */
function watched(pool: Pool, logger: Logger): Pool {
  const connectionLost = (error: Error) => logger.warn({ event: 'jobs_connection_lost', err: error });
  pool.on('error', connectionLost);
  pool.on('connect', (client) => client.on('error', connectionLost));
  return pool;
}
