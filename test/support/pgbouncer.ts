// PgBouncer as Debian has it, in front of the PostgreSQL of the tests.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/local/postgres/free-port';
import { eventually } from './eventually';
import { queryOnce } from './rows';

const BINARY = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find((path) =>
  existsSync(path),
);

/** `describe` for tests that need PgBouncer. Without it they are skipped with a warning. */
export const describeWithPgBouncer: typeof describe.each = (modes: readonly unknown[]) => {
  if (BINARY === undefined) console.warn('skipped, PgBouncer is not here (apt-get install pgbouncer).');
  return (BINARY ? describe : describe.skip).each(modes as never[]);
};

/** @param url an address with user and password, which PgBouncer signs in with */
export async function startPgBouncer(url: string, mode: 'transaction' | 'session', connections: number) {
  const target = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  // Started by root, it runs as another user.
  chmodSync(folder, 0o711);
  const port = await freePort(0);
  writeFileSync(join(folder, 'users.txt'), `"${target.username}" "${decodeURIComponent(target.password)}"\n`);
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${target.hostname} port=${target.port} pool_size=${connections}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${join(folder, 'users.txt')}
pool_mode = ${mode}
admin_users = ${target.username}
`,
  );
  const asSomebody = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(String(BINARY), ['-q', ...asSomebody, join(folder, 'pgbouncer.ini')], {
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  const address = new URL(url);
  address.port = String(port);
  const answers = () =>
    queryOnce(address.href, 'select').then(
      () => true,
      () => false,
    );
  await eventually(answers);
  return {
    url: address.href,
    async stop() {
      child.kill('SIGINT');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
