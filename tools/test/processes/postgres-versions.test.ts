// Every statement of the merchant runs on the oldest PostgreSQL that it supports; all other tests run on the newest (18). With
// POSTGRES_VERSIONS=all it runs on those between as well.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { binariesIn, POSTGRES_PACKAGE } from '../../../src/local/postgres/postgres-binaries';
import { startThrowawayPostgres } from '../../../src/local/postgres/throwaway-postgres';
import { migrateDatabase } from '../../../src/merchant/platform/migrations';
import { createEmptyDatabase } from '../../../test/support/postgres';
import { queryOnce } from '../../../test/support/rows';
import { startWorld } from '../../../test/support/world';
import { doEverything } from '../../proof/plans/every-statement';

const OLDEST = '14.23.0-beta.17';
const BETWEEN = ['15.18.0-beta.17', '16.14.0-beta.17', '17.10.0-beta.17'];
const VERSIONS = [OLDEST, ...(process.env['POSTGRES_VERSIONS'] === 'all' ? BETWEEN : [])];

const ERROR = 50;

let folder: string;
const { TEST_TEMPLATE_URL } = process.env;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'postgres-versions-'));
  // If this is root, PostgreSQL runs as another user.
  chmodSync(folder, 0o711);
  install();
});
afterAll(() => {
  process.env['TEST_TEMPLATE_URL'] = TEST_TEMPLATE_URL;
  rmSync(folder, { recursive: true, force: true });
});

test.each(VERSIONS)('PostgreSQL %s runs every statement of the merchant', async (version) => {
  const postgres = await startThrowawayPostgres(binariesIn(folderOf(version)));
  try {
    process.env['TEST_TEMPLATE_URL'] = postgres.url('postgres');
    const database = await createEmptyDatabase();
    await migrateDatabase(database.url);
    const [server] = await queryOnce<{ server_version: string }>(database.url, 'show server_version');
    expect(server?.server_version.split('.')[0]).toBe(version.split('.')[0]);
    const world = await startWorld({ database });
    try {
      await doEverything(world);
      // A statement that fails is logged as an error, by the request or the job that sent it.
      expect(world.log.lines().filter(({ level }) => Number(level) >= ERROR)).toEqual([]);
    } finally {
      await world.close();
    }
  } finally {
    await postgres.stop();
  }
});

/** Installs all of them at once, each under the name of its version. */
function install(): void {
  const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const aliases = VERSIONS.map((version) => `${nameOf(version)}@npm:${POSTGRES_PACKAGE}@${version}`);
  execFileSync('npm', ['install', '--prefix', folder, ...flags, ...aliases]);
  // npm packages have no symbolic links.
  for (const installed of VERSIONS.map(folderOf)) {
    const links = readFileSync(join(installed, 'native', 'pg-symlinks.json'), 'utf8');
    for (const { source, target } of JSON.parse(links) as { source: string; target: string }[]) {
      const [from, to] = [join(installed, target), join(installed, source)];
      symlinkSync(relative(dirname(from), to), from);
    }
  }
}

const nameOf = (version: string): string => `postgres-${version.split('.')[0]}`;
const folderOf = (version: string): string => join(folder, 'node_modules', nameOf(version));
