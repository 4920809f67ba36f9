// The connections of the job engine: one pool runs jobs and one enqueues them. Jobs and requests have separate pools,
// so that they cannot starve each other.

import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { LimitedClient, LimitedPool } from './database-pool';
import { connectionTo } from './database-session';
import type { Logger } from './logger';

/** The wait before the engine asks for a connection again. */
const CONNECT_AGAIN_MS = 1000;
/** In addition to one per job: one that listens, and one for the crontab. */
const ENGINE_CONNECTIONS = 2;
const ENQUEUEING_CONNECTIONS = 2;

/** The pool to enqueue with. It fails within seconds while the database is down, as a request must. */
export function openEnqueueingPool(databaseUrl: string, logger: Logger): Pool {
  return watched(new LimitedPool({ ...connectionTo(databaseUrl), max: ENQUEUEING_CONNECTIONS }), logger);
}

/**
 * The pool of the engine (graphile-worker 0.17.3), which does not await the statement that ends a job: if that fails,
 * the unhandled rejection ends the process. So this pool waits for a connection as long as the database is down, and an
 * error caused by the database's state carries a code that makes the engine retry.
 * @param concurrency of jobs
 * @param stopping is aborted when this process stops: the pool then stops waiting
 */
export function openWorkingPool(
  databaseUrl: string,
  concurrency: number,
  logger: Logger,
  stopping: AbortSignal,
): Pool {
  const max = concurrency + ENGINE_CONNECTIONS;
  const config = { ...connectionTo(databaseUrl), max, Client: WorkingClient };
  return watched(new WaitingPool(config, logger, stopping), logger);
}

class WorkingClient extends LimitedClient {
  protected override judge(error: unknown): unknown {
    const judged = super.judge(error) as { code?: string };
    // The engine itself handles refused values and missing or existing objects.
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
        // After a stop, only the end of a job is left to write. Another process takes its row again, and nothing awaits
        // this promise.
        if (endsJob) return new Promise<never>(() => undefined);
        if (this.stopping.aborted) return new NoConnection() as unknown as PoolClient;
        if (tries === 1) this.logger.warn({ event: 'jobs_wait_for_database', err: error });
        await pause(CONNECT_AGAIN_MS, undefined, { signal: this.stopping }).catch(() => undefined);
      }
    }
  }
}

/**
 * Returned if a process stops while the database is down: there is no job to take, and nothing can be written. An error
 * would be a rejection that the engine does not handle, or a stack that it prints outside our log.
 */
class NoConnection extends EventEmitter {
  query = () => Promise.resolve({ rows: [] });
  release = () => undefined;
}

/** A broken connection, idle or in use, must not end the process. The engine takes another one. */
function watched(pool: Pool, logger: Logger): Pool {
  const connectionLost = (error: Error) => logger.warn({ event: 'jobs_connection_lost', err: error });
  pool.on('error', connectionLost);
  pool.on('connect', (client) => client.on('error', connectionLost));
  return pool;
}
