// One database cluster on disk: <folder>/data belongs to PostgreSQL, <folder>/password holds its password. It is created as
// a draft and renamed when complete, so that an interrupted initdb is never mistaken for a cluster.

import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
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

/** The password is random, so a slow hash would protect nothing; it would take milliseconds of each new connection. */
const FAST_HASH = { since: 16, options: ['--set=scram_iterations=1'] };

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
  const known = [BUILTIN_LOCALE, FAST_HASH].filter(({ since }) => binaries.majorVersion >= since);
  const options = [...INITDB_OPTIONS, ...known.flatMap((each) => each.options), ...files];
  const [command = '', ...args] = [...prefix, binaries.initdb, ...options];
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

/** The account that PostgreSQL runs as. `prefix` goes before a command, `spawnOptions` are passed to spawn. */
type PostgresAccount = { uid: number; gid: number; prefix: string[]; spawnOptions: Account | object };

type Account = { uid: number; gid: number };

/**
 * PostgreSQL refuses to run as root. If root starts it, it runs under an existing unprivileged account. Only the owner of the data
 * folder can run a server on it, so the account follows from the owner of `folder`.
 */
function postgresAccount(folder: string, binary: string): PostgresAccount {
  const owner = statSync(folder);
  if (process.getuid?.() !== 0) {
    if (owner.uid === process.getuid?.())
      return { uid: owner.uid, gid: owner.gid, prefix: [], spawnOptions: {} };
    throw new Error(
      `${folder} belongs to another user (uid ${owner.uid}): start as that user, or move the folder.`,
    );
  }
  const account = owner.uid === 0 ? unprivilegedAccount() : { uid: owner.uid, gid: owner.gid };
  if (canReach(account, folder, binary)) return { ...account, prefix: [], spawnOptions: account };
  return { ...account, prefix: throughClosedFolders(account), spawnOptions: {} };
}

function unprivilegedAccount(): Account {
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: 'pipe' }).toString());
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      continue;
    }
  }
  throw new Error('PostgreSQL does not run as root: start as an ordinary user, or set DATABASE_URL.');
}

function canReach(account: Account, folder: string, binary: string): boolean {
  const script = 'cd "$1" && test -x "$2"';
  return spawnSync('/bin/sh', ['-c', script, 'sh', folder, binary], { ...account, cwd: '/' }).status === 0;
}

/**
 * A clone in root's home is inside a folder with mode 0700. setpriv grants the one capability needed to enter it. Without
 * no_setuid_fixup, access(2) would drop that capability.
 */
function throughClosedFolders({ uid, gid }: Account): string[] {
  if (spawnSync('setpriv', ['--version']).status !== 0)
    throw new Error(
      'PostgreSQL does not run as root and cannot reach this folder otherwise: clone to a folder that others may ' +
        'enter, start as an ordinary user, or set DATABASE_URL.',
    );
  return [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--securebits=+no_setuid_fixup',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
  ];
}
