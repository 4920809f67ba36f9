// Concurrent calls share a statement, and an item that cannot be written fails alone.

import { createBatcher } from '../../../src/merchant/platform/batch';
import type { Context } from '../../../src/merchant/platform/context';
import { DatabaseError } from '../../../src/merchant/platform/errors';
import { nextTurn } from '../../support/eventually';

/** Only the key of the queue; nothing of it is used. */
const context = {} as Context;

test('the first call runs at once, and calls that arrive meanwhile run together afterwards, each with its own result', async () => {
  const statements: (readonly number[])[] = [];
  const ends: (() => void)[] = [];
  const { add: send } = createBatcher<number, string>(async (_context, items) => {
    statements.push(items);
    await new Promise<void>((resolve) => ends.push(resolve));
    return items.map((item) => `done ${item}`);
  });
  const results = [1, 2].map((item) => send(context, item));
  await nextTurn();
  results.push(...[3, 4].map((item) => send(context, item)));
  await nextTurn();
  expect(statements).toEqual([[1, 2]]);
  ends[0]?.();
  await nextTurn();
  expect(statements.slice(1)).toEqual([[3, 4]]);
  ends[1]?.();
  expect(await Promise.all(results)).toEqual(['done 1', 'done 2', 'done 3', 'done 4']);
});

test('an item that cannot be written fails alone', async () => {
  const { add: call } = createBatcher<number, number>((_context, items) =>
    items.includes(2) ? Promise.reject(new DatabaseError('22P05')) : Promise.resolve(items),
  );
  const results = await Promise.allSettled([call(context, 1), call(context, 2), call(context, 3)]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await call(context, 4)).toBe(4);
});

test('items that arrive while their key is processed are processed together afterwards, and other keys do not wait', async () => {
  const runs: string[][] = [];
  const ends: (() => void)[] = [];
  const copies = createBatcher<string, number>(
    async (_context, items) => {
      const number = runs.push([...items]);
      await new Promise<void>((resolve) => ends.push(resolve));
      return items.map(() => number);
    },
    (item) => item.charAt(0),
  );
  const first = copies.add(context, 'a1');
  await nextTurn();
  expect([copies.isBusy(context, 'a2'), copies.isBusy(context, 'b1')]).toEqual([true, false]);
  const later = ['a2', 'a3', 'b1'].map((item) => copies.add(context, item));
  await nextTurn();
  expect(runs).toEqual([['a1'], ['b1']]);
  ends[0]?.();
  expect(await first).toBe(1);
  await nextTurn();
  expect(runs).toEqual([['a1'], ['b1'], ['a2', 'a3']]);
  ends.forEach((end) => end());
  expect(await Promise.all(later)).toEqual([3, 3, 2]);
  await nextTurn();
  expect(copies.isBusy(context, 'a1')).toBe(false);
});

test('a failed run is followed by the waiting one', async () => {
  let runs = 0;
  const { add } = createBatcher<number, string>(async (_context, items) => {
    await nextTurn();
    if ((runs += 1) === 1) throw new Error('gone');
    return items.map(() => 'done');
  });
  const first = add(context, 1);
  await nextTurn();
  const second = add(context, 2);
  await expect(first).rejects.toThrow('gone');
  await expect(second).resolves.toBe('done');
});
