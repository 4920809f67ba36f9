// The PostgreSQL that `npm start` and `npm test` start when DATABASE_URL is not set: binaries from npm, data in one folder,
// reachable from this machine only. Leftovers of killed runs are recognised and cleaned up.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port';
import { postgresBinaries, type PostgresBinaries } from './postgres-binaries';
import { DATABASE_USER, openCluster, type Cluster } from './postgres-cluster';
import { readPostmasterFile, startPostmaster } from './postmaster';
import { commandLineOf, isAlive } from './processes';

export type EmbeddedPostgres = {
  url: (database: string) => string;
  /** Resolves when the server has ended. Never resolves for a server that belongs to another process. */
  exited: Promise<void>;
  stop: () => Promise<void>;
};

type EmbeddedPostgresOptions = {
  /** Created if it is missing, with its parent folders. */
  dataDir: string;
  /** The first free port is used; 0 stands for any free port. */
  ports: number[];
  /** For throw-away data: a crash of the machine may destroy it. */
  fast?: boolean;
  /** Additional settings, each as `name=value`. */
  settings?: string[];
  /** Those that npm has installed for this project, unless given. */
  binaries?: PostgresBinaries;
};

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'timezone=UTC',
  'log_timezone=UTC',
  // The details of an error repeat values of rows, which must not appear in a log.
  'log_error_verbosity=terse',
  'log_min_error_statement=panic',
];
const FAST_SETTINGS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  // Tests of several workers share one server, each with both programs.
  'max_connections=300',
  // While a connection is authenticating (up to a minute by default), no database of the cluster can be dropped.
  'authentication_timeout=5s',
];
const SHUTDOWN_PATIENCE_MS = 15_000;

/** Starts the server, or shares the one that already runs on this data folder; `stop` leaves a shared server running. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const binaries = options.binaries ?? postgresBinaries();
  const cluster = openCluster(options.dataDir, binaries);
  const sharedPort = await portOfRunningServer(cluster);
  if (sharedPort !== null)
    return {
      url: urlOf(cluster, sharedPort),
      exited: new Promise(() => undefined),
      stop: () => Promise.resolve(),
    };

  const settings = [...SETTINGS, ...(options.fast ? FAST_SETTINGS : []), ...(options.settings ?? [])];
  for (const candidate of options.ports) {
    const port = await freePort(candidate);
    const server = port === null ? null : await startPostmaster(cluster, binaries.postgres, port, settings);
    if (port !== null && server !== null) return { url: urlOf(cluster, port), ...server };
  }
  throw new Error(
    `No free port for PostgreSQL: ${options.ports.join(', ')} are in use. Free one, or set DATABASE_URL.`,
  );
}

function urlOf(cluster: Cluster, port: number) {
  return (database: string) =>
    `postgresql://${DATABASE_USER}:${cluster.password}@127.0.0.1:${port}/${database}`;
}

/**
 * A second start in the same clone shares the server of the first. If the server is shutting down because its parent was
 * killed, waits for its end. Returns null if no server runs.
 */
async function portOfRunningServer({ folder, data }: Cluster): Promise<number | null> {
  const until = Date.now() + SHUTDOWN_PATIENCE_MS;
  for (;;) {
    const running = readPostmasterFile(data);
    if (running === null || !isAlive(running.pid)) return null;
    if (!commandLineOf(running.pid).includes(data)) {
      // The process id now belongs to another program or to a zombie. With this file PostgreSQL would refuse to start.
      rmSync(join(data, 'postmaster.pid'), { force: true });
      return null;
    }
    if (running.status === 'ready') return running.port;
    if (Date.now() > until)
      throw new Error(
        `PostgreSQL (process ${running.pid}) neither starts nor stops, see ${folder}/postgres.log.`,
      );
    await pause(20);
  }
}
