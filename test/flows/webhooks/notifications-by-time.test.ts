// The list of notifications for a period: an index over every thousandth one limits what is read, and not what is found.

import { useWorld } from '../../support/use-world';

const world = useWorld();

const MINUTE_MS = 60_000;
const FIRST = Date.parse('2026-01-01T00:00:00Z');
const COUNT = 5_000;
const timeOf = (number: number) => new Date(FIRST + number * MINUTE_MS).toISOString();

/** One a minute. The clocks of two processes are fifty minutes apart, so ids do not follow the time exactly. */
beforeAll(() =>
  world.rows.query(
    `insert into notifications (received_at, generation, svc_uid, merchant_uid, source_address, outcome)
     select $1::timestamptz + (n + case when n % 2 = 0 then 50 else 0 end) * interval '1 minute', 'legacy', 'svc_' || n,
       'order-' || n, '52.78.100.19', 'recorded'
     from generate_series(1, $2::int) as n`,
    [timeOf(0), COUNT],
  ),
);

test.each([
  [1, 60],
  [990, 1_045],
  [1_900, 2_200],
  [4_800, COUNT + 100],
])('all notifications between the minutes %i and %i', async (from, to) => {
  const { body } = await world.api(
    'GET',
    `/api/notifications?from=${timeOf(from)}&to=${timeOf(to)}&limit=1000`,
  );
  const expected = await world.rows.query(
    `select svc_uid from notifications where received_at between $1 and $2 order by id desc`,
    [timeOf(from), timeOf(to)],
  );
  expect(expected.length).toBeGreaterThan(20);
  expect(body.list.map(({ svc_uid }: { svc_uid: string }) => ({ svc_uid }))).toEqual(expected);
});
