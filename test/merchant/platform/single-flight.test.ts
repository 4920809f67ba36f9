// Copies of a call share its work: one is in flight, and one waits.

import type { Context } from '../../../src/merchant/platform/context';
import { singleFlight } from '../../../src/merchant/platform/single-flight';
import { nextTurn } from '../../support/eventually';

/** Nothing of it is used: the calls in flight belong to it. */
const context = {} as Context;

/** Work that ends when the test says so, and keeps its inputs. */
function heldWork() {
  const calls: { input: string; waited: boolean; end(error?: Error): void }[] = [];
  const run = singleFlight<string, string>(
    (input) => input,
    (_context, input, waited) =>
      new Promise((resolve, reject) => {
        const result = `done ${calls.length + 1}`;
        calls.push({ input, waited, end: (error) => (error ? reject(error) : resolve(result)) });
      }),
    () => Promise.resolve(),
  );
  return { run: (input: string) => run(context, input), calls };
}

test('a hundred copies at once are two looks, and the second settles all that came during the first', async () => {
  const { run, calls } = heldWork();
  const results = Array.from({ length: 100 }, () => run('svc_1'));
  expect(calls).toHaveLength(1);
  calls[0]?.end();
  await nextTurn();
  calls[1]?.end();
  const [first, ...others] = await Promise.all(results);
  expect([first, ...new Set(others)]).toEqual(['done 1', 'done 2']);
  await nextTurn();
  // A look learns whether it has waited: what was known before it is old then.
  expect(calls.map(({ waited }) => waited)).toEqual([false, true]);
});

test('a look that fails is followed by the one that waits', async () => {
  const { run, calls } = heldWork();
  const [first, second] = [run('svc_1'), run('svc_1')];
  calls[0]?.end(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  await nextTurn();
  calls[1]?.end();
  await expect(second).resolves.toBe('done 2');
});

test('another order under the same payment has a look of its own', () => {
  const { run, calls } = heldWork();
  void run('svc_1 order-1');
  void run('svc_1 order-2');
  expect(calls.map(({ input }) => input)).toEqual(['svc_1 order-1', 'svc_1 order-2']);
});
