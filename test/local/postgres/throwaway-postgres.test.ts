// A throw-away PostgreSQL removes its folder, and the folders of runs that were killed.

import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parentFolder, startThrowawayPostgres } from '../../../src/local/postgres/throwaway-postgres';

test('leaves nothing behind, and removes the folder that a killed run has left', async () => {
  const ofKilledRun = join(parentFolder(), 'merchant-throwaway-postgres-999999999-abcdef');
  mkdirSync(ofKilledRun, { recursive: true });
  const before = ownFolders();
  const postgres = await startThrowawayPostgres();
  const during = ownFolders();
  await postgres.stop();
  expect(existsSync(ofKilledRun)).toBe(false);
  expect(during).toHaveLength(before.length + 1);
  expect(ownFolders()).toEqual(before);
});

/** Jest may run this test in the process that holds the database of the other tests, whose folder is there before. */
function ownFolders(): string[] {
  const own = `merchant-throwaway-postgres-${process.pid}-`;
  return readdirSync(parentFolder()).filter((name) => name.startsWith(own));
}
