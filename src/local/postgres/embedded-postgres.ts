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
  /** Resolves when the server has ended. */
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

/** Starts the server. One of a killed parent, which is shutting down, is waited for. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const binaries = options.binaries ?? postgresBinaries();
  const cluster = openCluster(options.dataDir, binaries);
  await untilNoServerRuns(cluster);
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

/** @throws Error if a server still runs on these data after a while, because two would destroy them */
async function untilNoServerRuns({ folder, data }: Cluster): Promise<void> {
  const until = Date.now() + SHUTDOWN_PATIENCE_MS;
  for (;;) {
    const running = readPostmasterFile(data);
    if (running === null || !isAlive(running.pid)) return;
    if (!commandLineOf(running.pid).includes(data)) {
      // The process id now belongs to another program or to a zombie. With this file PostgreSQL would refuse to start.
      return rmSync(join(data, 'postmaster.pid'), { force: true });
    }
    if (Date.now() > until)
      throw new Error(
        `PostgreSQL (process ${running.pid}) still runs on ${folder}: stop it, see ${folder}/postgres.log.`,
      );
    await pause(20);
  }
}
