// `npm run doctor`: whether the database answers, is new enough and has every migration, and what options say of their rows.

import type { Config } from '../platform/config';
import type { Context } from '../platform/context';
import { databaseReason } from '../platform/database-problems';
import { DatabaseError } from '../platform/errors';
import type { Check } from './doctor-checks';
import { findPendingMigrations, readSession, type Session } from './doctor-store';
import { findCertificateProblem } from './service-error-text';

const OLDEST_POSTGRESQL = 14;

const SSLROOTCERT =
  'If your own CA or that of your provider has signed it, add sslrootcert=/path/ca.pem to DATABASE_URL. Never use sslmode=no-verify for this.';

export async function checkDatabase(context: Context): Promise<Check[]> {
  try {
    const session = await readSession(context);
    const { version } = session;
    const isNewEnough = Number.parseInt(version, 10) >= OLDEST_POSTGRESQL;
    const migrations = await checkMigrations(context);
    return [
      {
        name: 'database',
        state: isNewEnough ? 'ok' : 'failed',
        says: `PostgreSQL ${version}`,
        ...(!isNewEnough && { fix: `PostgreSQL ${OLDEST_POSTGRESQL} or newer is needed.` }),
      },
      migrations,
      ...judgeSession(session, context.config),
      ...(migrations.state === 'ok' ? await checkFeatures(context) : []),
    ];
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    const certificate = findCertificateProblem(error.code);
    if (certificate)
      return [
        {
          name: 'database',
          state: 'failed',
          says: `${certificate.shown.replace('shows', 'the server shows')}: nothing was sent to it`,
          fix: certificate.isUnknownSigner
            ? SSLROOTCERT
            : 'Have it renewed for the host name in DATABASE_URL.',
        },
      ];
    const { says, fix } = databaseReason(error.code);
    return [{ name: 'database', state: 'failed', says: `${says} (${error.code})`, fix }];
  }
}

/** What options report about their rows. */
function checkFeatures(context: Context): Promise<Check[]> {
  return Promise.all(context.features.flatMap(({ check }) => (check ? [check(context)] : [])));
}

const ROLES = 'Make the roles of deploy/postgres-roles.sql, and sign in as merchant_runtime.';

/** Outside production, `npm start` uses a role that owns everything. */
export function judgeSession(
  { isSuperuser, ownsTables }: Omit<Session, 'version'>,
  { production, databaseIsPooled }: Pick<Config, 'production' | 'databaseIsPooled'>,
): Check[] {
  const checks: Check[] = [];
  if (production) {
    const name = 'database role';
    if (isSuperuser) checks.push({ name, state: 'failed', says: 'is a superuser', fix: ROLES });
    else if (ownsTables)
      checks.push({ name, state: 'warning', says: 'can change and drop tables', fix: ROLES });
    else checks.push({ name, state: 'ok', says: 'can neither change nor drop a table' });
  }
  if (databaseIsPooled)
    checks.push({
      name: 'pooler',
      state: 'ok',
      says: 'DATABASE_URL is a pooler; jobs and locks use DATABASE_DIRECT_URL',
    });
  return checks;
}

async function checkMigrations(context: Context): Promise<Check> {
  const name = 'migrations';
  try {
    const pending = await findPendingMigrations(context);
    if (pending.length === 0) return { name, state: 'ok', says: 'none is missing' };
    return { name, state: 'failed', says: `missing: ${pending.join(', ')}`, fix: 'Run npm run migrate.' };
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    return { name, state: 'failed', says: (error as Error).message };
  }
}
