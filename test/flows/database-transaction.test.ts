// Statements that are sent together with their commit: all of them are committed, or none.

import { openDatabase, type Database } from '../../src/merchant/platform/database';
import type { OpenTransaction } from '../../src/merchant/platform/database-transaction';
import { createTestDatabase, type TestDatabase } from '../support/postgres';

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openDatabase(testDatabase.url);
});
afterAll(async () => {
  await database.$disconnect();
  await testDatabase.drop();
});

const savePause = (run: OpenTransaction, line: string, until = new Date(0)) =>
  run.$executeRaw`/* save-pause */
    insert into service_pauses (line, until) values (${line}, ${until.toISOString()}::timestamptz)`;
const lines = async () =>
  (await database.servicePause.findMany({ orderBy: { line: 'asc' } })).map(({ line }) => line);

beforeAll(() =>
  database.$statements((run) => Promise.all([savePause(run, 'a'), savePause(run, 'b'), run.$commit()])),
);

test('nothing is committed if PostgreSQL refuses one of them', async () => {
  const work = database.$statements((run) =>
    Promise.all([savePause(run, 'c'), savePause(run, 'a'), savePause(run, 'd'), run.$commit()]),
  );
  await expect(work).rejects.toMatchObject({ code: '23505' });
  expect(await lines()).toEqual(['a', 'b']);
});

test('nothing is committed if the values of one cannot be built', async () => {
  const saveWithoutTime = async (run: OpenTransaction) => savePause(run, 'd', new Date(NaN));
  const work = database.$statements((run) =>
    Promise.all([savePause(run, 'c'), saveWithoutTime(run), savePause(run, 'e'), run.$commit()]),
  );
  await expect(work).rejects.toThrow('RangeError');
  expect(await lines()).toEqual(['a', 'b']);
});
