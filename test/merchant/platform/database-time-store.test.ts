// A host with a wrong clock uses the time of the database, which decides when jobs are due.

import { createDatabaseClock } from '../../../src/merchant/platform/database-time-store';
import { createManualClock } from '../../support/clock';

const MINUTE_MS = 60_000;

test.each([5, -5])(
  'M12 the database’s time is used when the host’s clock is off by %i minutes',
  async (minutes) => {
    const database = createManualClock();
    const host = createManualClock(database.nowMs() - minutes * MINUTE_MS);
    const clock = createDatabaseClock(host);
    expect(clock.now()).toEqual(host.now());
    expect(await clock.adjust(() => Promise.resolve(database.now()))).toBe(minutes * MINUTE_MS);
    expect(clock.now()).toEqual(database.now());
    host.advance(7);
    database.advance(7);
    expect(clock.now()).toEqual(database.now());
  },
);

test('M12 a late answer of the database is assumed to be from the middle of the wait', async () => {
  const host = createManualClock();
  const clock = createDatabaseClock(host);
  const readDatabaseTime = () => {
    const now = new Date(host.nowMs() + MINUTE_MS);
    host.advance(2);
    return Promise.resolve(now);
  };
  expect(await clock.adjust(readDatabaseTime)).toBe(MINUTE_MS - 1_000);
  // If the database cannot be read, the clock does not change.
  await expect(clock.adjust(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(clock.now().getTime()).toBe(host.nowMs() + MINUTE_MS - 1_000);
});
