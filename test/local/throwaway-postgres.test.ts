import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startThrowawayPostgres } from '../../src/local/throwaway-postgres';

test('leaves nothing behind, and sweeps what a killed run could not', async () => {
  const ofKilledRun = join(tmpdir(), 'merchant-throwaway-postgres-999999999-abcdef');
  mkdirSync(ofKilledRun, { recursive: true });
  const before = ownFolders();
  const postgres = await startThrowawayPostgres();
  const during = ownFolders();
  await postgres.stop();
  expect(existsSync(ofKilledRun)).toBe(false);
  expect(during).toHaveLength(before.length + 1);
  expect(ownFolders()).toEqual(before);
});

/** Jest may run this in the process that keeps the database of the other tests. */
function ownFolders(): string[] {
  const own = `merchant-throwaway-postgres-${process.pid}-`;
  return readdirSync(tmpdir()).filter((name) => name.startsWith(own));
}
