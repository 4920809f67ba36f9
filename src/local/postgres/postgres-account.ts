// PostgreSQL refuses to run as root. If root starts it, it runs under an existing unprivileged account.

import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

/** The account that PostgreSQL runs as. `prefix` goes before a command, `spawnOptions` are passed to spawn. */
export type PostgresAccount = { uid: number; gid: number; prefix: string[]; spawnOptions: Account | object };

type Account = { uid: number; gid: number };

/** Only the owner of the data folder can run a server on it, so the account follows from the owner of `folder`. */
export function postgresAccount(folder: string, binary: string): PostgresAccount {
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
