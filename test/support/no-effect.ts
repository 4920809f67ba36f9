// What is refused must have no effect: no row of any table changes, and no request reaches the service.

import type { World } from './world';

/** Does something that must have no effect, and returns what it returns. */
export async function expectNoEffect<T>(
  { rows, sandbox }: Pick<World, 'rows' | 'sandbox'>,
  act: () => Promise<T>,
): Promise<T> {
  const before = { rows: await dump(), calls: await sandbox.allRequests() };
  const result = await act();
  expect(await dump()).toBe(before.rows);
  expect(await sandbox.allRequests()).toBe(before.calls);
  return result;

  /**
   * The job that delivers events is enqueued after an answer, so one from before may come just now. A refused attempt is
   * counted among the limits; that keeps nothing of it.
   */
  async function dump(): Promise<string> {
    const lines = (await rows.dump()).split('\n');
    return lines
      .filter(
        (line) => line !== '' && !/^(graphile_worker\..*deliver-events|public\.card_limits )/.test(line),
      )
      .join('\n');
  }
}
