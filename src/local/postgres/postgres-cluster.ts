// One database cluster on disk: <folder>/data belongs to PostgreSQL, <folder>/password holds its password. It is created as
// a draft and renamed when complete, so that an interrupted initdb is never mistaken for a cluster.

import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { postgresAccount, type PostgresAccount } from './postgres-account';
import type { PostgresBinaries } from './postgres-binaries';
import { isAlive } from './processes';

export const DATABASE_USER = 'merchant';
const INITDB_OPTIONS = [
  `--username=${DATABASE_USER}`,
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--no-instructions',
];
/** The builtin locale sorts the same way on every system and needs no installed locale. */
const BUILTIN_LOCALE = { since: 17, options: ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] };

export type Cluster = { folder: string; data: string; password: string; account: PostgresAccount };

export function openCluster(folder: string, binaries: PostgresBinaries): Cluster {
  if (!existsSync(folder)) createCluster(folder, binaries);
  const data = join(folder, 'data');
  const account = postgresAccount(data, binaries.postgres);
  const version = Number(readFileSync(join(data, 'PG_VERSION'), 'utf8'));
  if (version !== binaries.majorVersion)
    throw new Error(
      `${folder} has data of PostgreSQL ${version}, but this is ${binaries.majorVersion}: move the folder.`,
    );
  return { folder, data, password: readFileSync(join(folder, 'password'), 'utf8'), account };
}

function createCluster(folder: string, binaries: PostgresBinaries): void {
  mkdirSync(dirname(folder), { recursive: true });
  removeAbandonedDrafts(folder);
  const draft = `${folder}.draft-${process.pid}`;
  mkdirSync(draft);
  try {
    initialise(draft, binaries);
    renameSync(draft, folder);
  } catch (error) {
    // Another first start finished earlier: its cluster is used.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function initialise(draft: string, binaries: PostgresBinaries): void {
  const passwordFile = join(draft, 'password');
  writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  const { uid, gid, prefix, spawnOptions } = postgresAccount(draft, binaries.initdb);
  for (const path of [draft, passwordFile]) chownSync(path, uid, gid);

  const files = [`--pwfile=${passwordFile}`, `--pgdata=${join(draft, 'data')}`];
  const locale = binaries.majorVersion >= BUILTIN_LOCALE.since ? BUILTIN_LOCALE.options : [];
  const [command = '', ...args] = [...prefix, binaries.initdb, ...INITDB_OPTIONS, ...locale, ...files];
  const result = spawnSync(command, args, { ...spawnOptions, cwd: '/', encoding: 'utf8' });
  if (result.error)
    throw new Error(
      `The embedded PostgreSQL does not run on this system (it needs glibc): set DATABASE_URL. ${result.error.message}`,
    );
  if (result.status !== 0)
    throw new Error(`PostgreSQL could not be set up (or set DATABASE_URL): ${result.stderr.trim()}`);
}

function removeAbandonedDrafts(folder: string): void {
  const prefix = `${basename(folder)}.draft-`;
  for (const name of readdirSync(dirname(folder))) {
    if (name.startsWith(prefix) && !isAlive(Number(name.slice(prefix.length))))
      rmSync(join(dirname(folder), name), { recursive: true, force: true });
  }
}
