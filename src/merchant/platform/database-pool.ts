// Connections to PostgreSQL with limits on our side of the socket. Those of the server end no statement when the server
// is gone without a word: without ours, the kernel would wait for it for about a quarter of an hour.

import { Socket } from 'node:net';
import { Client, Pool, type PoolClient, type PoolConfig } from 'pg';

/** A statement without an answer is given up after this. */
const STATEMENT_LIMIT_MS = 2800;
/** The longest wait for a connection: a new one, or one of the pool that is in use. */
const CONNECT_LIMIT_MS = 2500;
/** An idle connection is probed after this, so that a peer that is gone is noticed, and firewalls keep the connection. */
const KEEP_ALIVE_AFTER_MS = 10_000;

/** What `pg` says when `query_timeout` is over; it gives no code. */
const GIVEN_UP = 'Query read timeout';
const READ_ONLY = '25006';

/**
 * A statement that was given up may still be executed: the answer was lost, or the server was only slow. Each statement
 * of ours is safe under that, because what follows from it is decided by rows: it is compared with the version of an
 * order, refused by a unique index, or noted a second time.
 */
export class LimitedClient extends Client {
  // The signature of `pg` has six forms. The last argument decides how the result is returned.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  override query(...args: any[]): any {
    const callback: unknown = args.at(-1);
    const others: unknown[] = args.slice(0, -1);
    if (!isCallback(callback))
      return super.query(...(args as [string])).catch((error: unknown) => {
        throw this.judge(error);
      });
    const judged: Callback = (error, result) => callback(error && this.judge(error), result);
    return super.query(...([...others, judged] as unknown as [string]));
  }

  /** Returns the error that is reported for one of a statement; `pg` gives those of the connection no code. */
  protected judge(error: unknown): unknown {
    const { message, code } = error as { message?: string; code?: string };
    const isGivenUp = message === GIVEN_UP;
    if (code === undefined) Object.assign(error as Error, { code: isGivenUp ? 'ETIMEDOUT' : 'ECONNRESET' });
    // The answer may still come, and would be taken for that of the next statement.
    if (isGivenUp) void this.end();
    if (isGivenUp || code === READ_ONLY) this.emit(UNUSABLE);
    return error;
  }
}

type Callback = (error: unknown, result: unknown) => void;
const isCallback = (value: unknown): value is Callback => typeof value === 'function';

const UNUSABLE = 'unusable';

/**
 * `pg` corks the socket while it writes one statement. This one stays corked for the rest of the tick, so that statements
 * that are sent together leave in one write: each write wakes a process of PostgreSQL, which is a tenth of the CPU of a
 * notification (`npm run bench -- beside`).
 */
class GatheringSocket extends Socket {
  override uncork(): void {
    process.nextTick(() => super.uncork());
  }
}

/**
 * A pool whose statements end within `STATEMENT_LIMIT_MS`. When one of them was given up, or met a server that only
 * reads, the idle connections are closed as well: they were opened to the same server, and the next statement shall not
 * wait for the same silence.
 */
export class LimitedPool extends Pool {
  private readonly unused = new Set<PoolClient>();

  constructor(config: PoolConfig) {
    super({
      Client: LimitedClient,
      connectionTimeoutMillis: CONNECT_LIMIT_MS,
      query_timeout: STATEMENT_LIMIT_MS,
      stream: () => new GatheringSocket(),
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      ...config,
    });
    this.on('connect', (client) => client.on(UNUSABLE as 'error', () => this.closeUnused()));
    this.on('acquire', (client) => this.unused.delete(client));
    this.on('remove', (client) => this.unused.delete(client));
    this.on('release', (error, client) => {
      if (!error) this.unused.add(client);
    });
  }

  private closeUnused(): void {
    const clients = [...this.unused];
    this.unused.clear();
    // An idle client that reports an error is closed and forgotten by the pool.
    for (const client of clients) client.emit('error', new Error('the server has stopped answering'));
  }
}
