import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startThrowawayPostgres } from '../../src/local/throwaway-postgres';

test('leaves nothing behind, and sweeps what a killed run could not', async () => {
  const ofKilledRun = join(tmpdir(), 'merchant-throwaway-postgres-999999999-abcdef');
  mkdirSync(ofKilledRun, { recursive: true });
  const own = new RegExp(`^merchant-throwaway-postgres-${process.pid}-`);
  const postgres = await startThrowawayPostgres();
  expect(existsSync(ofKilledRun)).toBe(false);
  expect(readdirSync(tmpdir()).filter((name) => own.test(name))).toHaveLength(1);
  await postgres.stop();
  expect(readdirSync(tmpdir()).filter((name) => own.test(name))).toEqual([]);
});
