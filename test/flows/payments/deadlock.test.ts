// Two statements block each other (row F7 of docs/faults.md): PostgreSQL cancels one of them, and it is sent again.

import { openDatabase } from '../../../src/merchant/database';
import { createTestDatabase } from '../../support/postgres';

test('F7 the statement that lost a deadlock is sent again, and both are written', async () => {
  const { url, drop } = await createTestDatabase();
  const [one, two] = [openDatabase(url), openDatabase(url)];
  try {
    await one.$executeRaw`create table pairs (id int primary key, n int not null default 0)`;
    await one.$executeRaw`insert into pairs values (1), (2)`;
    // Each takes its first row, waits until the other must have taken the second, then wants that one as well.
    const takeBoth = (database: typeof one, first: number, second: number) => database.$executeRaw`
      with a as materialized (update pairs set n = n + 1 where id = ${first} returning id),
        pause as materialized (select pg_sleep(0.3) from a)
      update pairs set n = n + 1 from (select count(*) from pause) as p where id = ${second}`;
    await Promise.all([takeBoth(one, 1, 2), takeBoth(two, 2, 1)]);
    expect(await one.$queryRaw`select id, n from pairs order by id`).toEqual([
      { id: 1, n: 2 },
      { id: 2, n: 2 },
    ]);
    const [{ deadlocks }] = await two.$queryRaw<[{ deadlocks: bigint }]>`
      select deadlocks from pg_stat_database where datname = current_database()`;
    expect(Number(deadlocks)).toBeGreaterThan(0);
  } finally {
    await one.$disconnect();
    await two.$disconnect();
    await drop();
  }
});
