// Databases for tests. One throw-away cluster per run holds a template that was migrated once; each test file clones it
// in some 30 ms and changes what it likes.
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { administer } from '../../src/local/databases';
import { startEmbeddedPostgres } from '../../src/local/embedded-postgres';
import { isAlive } from '../../src/local/processes';
import { applyMigrations } from '../../src/merchant/migrations';

const TEMPLATE = 'template_merchant';
const FOLDER_PREFIX = 'merchant-test-postgres-';

export type TestCluster = { templateUrl: string; stop: () => Promise<void> };
export type TestDatabase = { url: string; drop: () => Promise<void> };

export async function startTestCluster(): Promise<TestCluster> {
  sweepKilledRuns();
  const folder = mkdtempSync(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`));
  // Started by root, PostgreSQL runs as somebody else, who has to get in; the data itself is closed.
  chmodSync(folder, 0o711);
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'cluster'), ports: [0], fast: true });
  const stop = async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const templateUrl = postgres.url(TEMPLATE);
    await administer(postgres.url('postgres'), `create database ${TEMPLATE}`);
    await applyMigrations(templateUrl);
    return { templateUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A migrated, empty database of one's own; `drop` also ends the connections that are still open. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const url = databaseUrl(name);
  const admin = databaseUrl('postgres');
  await administer(admin, `create database ${name} template ${TEMPLATE} strategy file_copy`);
  return { url, drop: () => administer(admin, `drop database if exists ${name} with (force)`) };
}

function databaseUrl(name: string): string {
  const url = new URL(process.env['TEST_TEMPLATE_URL'] ?? 'postgresql://started-by-global-setup');
  url.pathname = name;
  return url.href;
}

/** PostgreSQL notices by itself that its run was killed; its folder is left to the next run. */
function sweepKilledRuns(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = new RegExp(`^${FOLDER_PREFIX}(\\d+)-`).exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // Another user's run: not ours to remove.
    }
  }
}
