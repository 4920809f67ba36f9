// Statements that are sent together: all of them are committed, or none.

import type { Statements } from '../../src/merchant/platform/database-transaction';
import { useDatabase } from '../support/use-world';

const opened = useDatabase();

const savePause = (run: Statements, line: string, until = new Date(0)) =>
  run.$executeRaw`/* save-pause */
    insert into service_pauses (line, until) values (${line}, ${until.toISOString()}::timestamptz)`;
const lines = async () =>
  (await opened.database.servicePause.findMany({ orderBy: { line: 'asc' } })).map(({ line }) => line);

beforeAll(() =>
  opened.database.$statements((run) => Promise.all([savePause(run, 'a'), savePause(run, 'b')])),
);

test('nothing is committed if PostgreSQL refuses one of them', async () => {
  const work = opened.database.$statements((run) =>
    Promise.all([savePause(run, 'c'), savePause(run, 'a'), savePause(run, 'd')]),
  );
  await expect(work).rejects.toMatchObject({ code: '23505' });
  expect(await lines()).toEqual(['a', 'b']);
});

test('nothing is committed if the values of one cannot be built', async () => {
  const saveWithoutTime = async (run: Statements) => savePause(run, 'd', new Date(NaN));
  const work = opened.database.$statements((run) =>
    Promise.all([savePause(run, 'c'), saveWithoutTime(run), savePause(run, 'e')]),
  );
  await expect(work).rejects.toThrow('RangeError');
  expect(await lines()).toEqual(['a', 'b']);
});
