// Statements that are sent together with the commit: all of them are committed, or none.

import { Prisma } from '../../src/generated/prisma/client';
import { useDatabase } from '../support/use-world';

const opened = useDatabase();

const savePause = (line: string) =>
  Prisma.sql`/* save-pause */ insert into service_pauses (line, until) values (${line}, now())`;
const lines = async () =>
  (await opened.database.servicePause.findMany({ orderBy: { line: 'asc' } })).map(({ line }) => line);

beforeEach(() => opened.database.$executeRaw`truncate service_pauses`);

test('the rows of each statement are returned in their order, and null is left out', async () => {
  const rows = await opened.database.$statements(async (run, commitWith) => {
    await run.$executeRaw`${savePause('a')}`;
    return commitWith(savePause('b'), null, Prisma.sql`select count(*)::int as saved from service_pauses`);
  });
  expect(rows).toEqual([[], [], [{ saved: 2 }]]);
  expect(await lines()).toEqual(['a', 'b']);
});

test('nothing is committed if PostgreSQL refuses one of them', async () => {
  for (const line of ['a', 'b']) await opened.database.$executeRaw`${savePause(line)}`;
  const work = opened.database.$statements((_, commitWith) =>
    commitWith(savePause('c'), savePause('a'), savePause('d')),
  );
  await expect(work).rejects.toMatchObject({ code: '23505' });
  expect(await lines()).toEqual(['a', 'b']);
});

test('it is an error if an earlier statement has failed, or if nothing was committed', async () => {
  await opened.database.$executeRaw`${savePause('a')}`;
  const refused = opened.database.$statements(async (run, commitWith) => {
    await run.$executeRaw`${savePause('a')}`.catch(() => 0);
    return commitWith();
  });
  await expect(refused).rejects.toThrow('NOT_COMMITTED');
  await expect(opened.database.$statements((run) => run.$queryRaw`select 1`)).rejects.toThrow(
    'NOT_COMMITTED',
  );
});
