// The roles that compose.yaml creates with the scripts of deploy/, on a cluster of this machine with other names.

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { administer } from './databases';

const ROOT = join(__dirname, '..', '..', '..');
const SCRIPT = ['deploy/postgres-roles.sql', 'deploy/postgres-superuser.sql']
  .map((path) => readFileSync(join(ROOT, path), 'utf8'))
  .join('');
const PASSWORD = 'letters-and-digits-0123';

export type Roles = Awaited<ReturnType<typeof makeRoles>>;

/**
 * @param adminUrl the database that they are made for
 * @param tablesBelongTo whose tables are there already; absent: the owner's, as the script says
 */
export async function makeRoles(adminUrl: string, tablesBelongTo?: string) {
  const unique = randomUUID().replaceAll('-', '');
  const [owner, runtime, superuser] = [`owner_${unique}`, `runtime_${unique}`, `superuser_${unique}`];
  const database = new URL(adminUrl).pathname.slice(1);
  await administer(adminUrl, `create role ${superuser} superuser login password '${PASSWORD}'`);
  // Without the creation of the database, and without what psql itself reads.
  const sql = SCRIPT.replace(/^select \$\$create database[^]*?\\gexec$/m, '')
    .replaceAll(/^\\.*$/gm, '')
    .replaceAll(/:'\w+_password'/g, `'${PASSWORD}'`)
    .replaceAll(/\bdatabase merchant\b/g, `database ${database}`)
    .replaceAll(/\bfor role merchant\b/g, `for role ${tablesBelongTo ?? owner}`)
    .replaceAll(/\b(role|owner to|public to) merchant\b/g, `$1 ${owner}`)
    .replaceAll("rolname = 'merchant'", `rolname = '${owner}'`)
    .replaceAll('merchant_runtime', runtime)
    .replaceAll('role postgres', `role ${superuser}`);
  await administer(adminUrl, sql);
  return {
    ownerUrl: asRole(adminUrl, owner),
    runtimeUrl: asRole(adminUrl, runtime),
    superuserUrl: asRole(adminUrl, superuser),
    runtime,
    password: PASSWORD,
    /** Roles belong to the whole cluster. To be called when the database is gone. */
    async drop(): Promise<void> {
      for (const role of [owner, runtime, superuser])
        await administer(adminUrl.replace(database, 'postgres'), `drop role ${role}`);
    },
  };
}

/** The address of the same database for another role. */
function asRole(adminUrl: string, role: string): string {
  const url = new URL(adminUrl);
  [url.username, url.password] = [role, PASSWORD];
  return url.href;
}
