// One sweep at a time over all processes of a database. An advisory lock on a connection of its own: PostgreSQL lets
// go of it when the process that held it is gone, however it went, so nobody waits for a lease of the dead to run out.

import { Client } from 'pg';
import { DatabaseFault } from '../errors';

export type SweepTurn = {
  /** Aborted when the connection breaks: somebody else may have the turn by then. */
  lost: AbortSignal;
  end(): Promise<void>;
};

/** Null while another sweep is under way. */
export type TakeSweepTurn = () => Promise<SweepTurn | null>;

/** Any number that nobody else takes as a lock: "sweep" on a telephone's keys. */
const LOCK = 79337;
// A host that vanished without a word is given up after half a minute, not after two hours.
const KEEPALIVE = '-c tcp_keepalives_idle=15 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';

export function createTakeSweepTurn(databaseUrl: string): TakeSweepTurn {
  return async () => {
    const client = new Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: 2500,
      keepAlive: true,
      application_name: 'merchant-sweep',
      options: KEEPALIVE,
    });
    const lost = new AbortController();
    client.on('error', () => lost.abort());
    const end = () => client.end().catch(() => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
        LOCK,
      ]);
      if (rows[0]?.taken) return { lost: lost.signal, end };
    } catch (error) {
      await end();
      throw new DatabaseFault((error as { code?: string }).code ?? 'unknown');
    }
    await end();
    return null;
  };
}
