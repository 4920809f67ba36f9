// PostgreSQL connections with client-side timeouts. The server's own timeouts do not end a statement when the server
// disappears without closing the connection: the kernel would then wait about a quarter of an hour.

import { Socket } from 'node:net';
import { Client, Pool, type PoolClient, type PoolConfig } from 'pg';
import { checkSession } from './database-session';
import { DatabaseError } from './errors';

/** A statement without an answer fails after this time. */
const STATEMENT_LIMIT_MS = 2800;
/** The longest wait for a connection: a new one, or one that the pool has to get back first. */
const CONNECT_LIMIT_MS = 2500;
/**
 * TCP keep-alive starts after this idle time. It detects a dead peer and stops firewalls from dropping the connection.
 */
const KEEP_ALIVE_AFTER_MS = 10_000;

/** The message of `pg` when `query_timeout` has passed. This error has no code. */
const GIVEN_UP = 'Query read timeout';
const READ_ONLY = '25006';

/**
 * A statement that timed out may still be executed: the answer was lost, or the server was only slow. Re-running one
 * of our statements is harmless: a version check or a unique index rejects the repeat, or it is recorded a second time.
 */
export class LimitedClient extends Client {
  // `pg` overloads this method six times. The last argument decides how the result is returned.
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

  /** Prisma would replace the code of a connection that fails by one of its own, which does not tell why. */
  override connect(): Promise<Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<Client> | undefined {
    if (!callback)
      return super.connect().catch((error: unknown) => {
        throw new DatabaseError(connectCode(error));
      });
    super.connect((error?: Error) => callback((error && new DatabaseError(connectCode(error))) as Error));
    return undefined;
  }

  /** Returns the error to report. `pg` gives connection errors no code, so this adds one. */
  protected judge(error: unknown): unknown {
    const { message, code } = error as { message?: string; code?: string };
    const isGivenUp = message === GIVEN_UP;
    if (code === undefined) Object.assign(error as Error, { code: isGivenUp ? 'ETIMEDOUT' : 'ECONNRESET' });
    // The answer may still arrive, and `pg` would take it for the answer to the next statement.
    if (isGivenUp) void this.end();
    if (isGivenUp || code === READ_ONLY) this.emit(UNUSABLE);
    return error;
  }
}

/** The code of an error of `connect`. `pg` has none for those that it finds itself. */
export function connectCode(error: unknown): string {
  const { code, message = '' } = error as { code?: string; message?: string };
  if (code !== undefined) return code;
  if (message.includes('does not support SSL')) return 'TLS_REFUSED';
  if (message.includes('password must be')) return 'NO_PASSWORD';
  if (/time-?out/i.test(message)) return 'NO_CONNECTION';
  return 'ECONNRESET';
}

type Callback = (error: unknown, result: unknown) => void;
const isCallback = (value: unknown): value is Callback => typeof value === 'function';

const UNUSABLE = 'unusable';

/**
 * `pg` corks the socket while it writes one statement. This socket stays corked until the end of the turn of the
 * event loop, so statements that are sent together leave in one write. Each write wakes a PostgreSQL process, which takes a tenth of
 * the CPU of a notification.
 */
class GatheringSocket extends Socket {
  override uncork(): void {
    setImmediate(() => super.uncork());
  }
}

/**
 * A pool whose statements end within `STATEMENT_LIMIT_MS`. When a statement times out or reaches a read-only server,
 * the pool also closes its idle connections: they lead to the same server, and the next statement must not wait for the
 * same timeout.
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
      // The pool awaits it, although its type does not say so.
      // eslint-disable-next-line @typescript-eslint/no-misused-promises
      onConnect: (client) => checkSession(client),
      ...config,
    });
    // An idle connection was lost. The pool has removed it, and the next statement opens another.
    this.on('error', () => undefined);
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
    // The pool closes and removes an idle client that reports an error.
    for (const client of clients) client.emit('error', new Error('the server has stopped answering'));
  }
}
