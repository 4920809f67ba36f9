// A throw-away PostgreSQL removes its folder, and the folders of runs that were killed. A client that has gone silent does not
// hold up the others.

import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { administer } from '../../../src/local/postgres/databases';
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

test('a client that goes silent while it signs in does not keep others from dropping their databases', async () => {
  const postgres = await startThrowawayPostgres();
  const url = postgres.url('postgres');
  const { hostname: host, port, username: user } = new URL(url);
  const silent = new Client({ host, port: Number(port), user, database: 'postgres', password: neverSaid });
  const ended = silent.connect().catch(() => 'ended');
  try {
    await administer(url, 'create database short_lived');
    await asked;
    await administer(url, 'drop database short_lived');
    expect(await ended).toBe('ended');
  } finally {
    await postgres.stop();
  }
});

let wasAsked: () => void;
const asked = new Promise<void>((resolve) => (wasAsked = resolve));

function neverSaid(): Promise<string> {
  wasAsked();
  return new Promise(() => undefined);
}

/** Jest may run this test in the process that holds the database of the other tests, whose folder is there before. */
function ownFolders(): string[] {
  const own = `merchant-throwaway-postgres-${process.pid}-`;
  return readdirSync(parentFolder()).filter((name) => name.startsWith(own));
}
