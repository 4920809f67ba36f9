// Concurrent calls share a statement, and an item that cannot be written fails alone.

import { isRunning, runTogether } from '../../../src/merchant/platform/batch';
import type { Context } from '../../../src/merchant/platform/context';
import { DatabaseError } from '../../../src/merchant/platform/errors';
import { nextTurn } from '../../support/eventually';

const context = { state: new Map() } as Context;

test('the first call runs at once, and calls that arrive meanwhile run together afterwards, each with its own result', async () => {
  const statements: (readonly number[])[] = [];
  const ends: (() => void)[] = [];
  const sendAll = async (_context: Context, items: readonly number[]) => {
    statements.push(items);
    await new Promise<void>((resolve) => ends.push(resolve));
    return items.map((item) => `done ${item}`);
  };
  const send = (item: number) => runTogether(context, sendAll, item);
  const results = [1, 2].map(send);
  await nextTurn();
  results.push(...[3, 4].map(send));
  await nextTurn();
  expect(statements).toEqual([[1, 2]]);
  ends[0]?.();
  await nextTurn();
  expect(statements.slice(1)).toEqual([[3, 4]]);
  ends[1]?.();
  expect(await Promise.all(results)).toEqual(['done 1', 'done 2', 'done 3', 'done 4']);
});

test('an item that cannot be written fails alone', async () => {
  const callAll = (_context: Context, items: readonly number[]) =>
    items.includes(2) ? Promise.reject(new DatabaseError('22P05')) : Promise.resolve(items);
  const call = (item: number) => runTogether(context, callAll, item);
  const results = await Promise.allSettled([1, 2, 3].map(call));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await call(4)).toBe(4);
});

test('items that arrive while their key is processed are processed together afterwards, and other keys do not wait', async () => {
  const runs: string[][] = [];
  const ends: (() => void)[] = [];
  const runAll = async (_context: Context, items: readonly string[]) => {
    const number = runs.push([...items]);
    await new Promise<void>((resolve) => ends.push(resolve));
    return items.map(() => number);
  };
  const add = (item: string) => runTogether(context, runAll, item, item.charAt(0));
  const isBusy = (key: string) => isRunning(context, runAll, key);
  const first = add('a1');
  await nextTurn();
  expect([isBusy('a'), isBusy('b')]).toEqual([true, false]);
  const later = ['a2', 'a3', 'b1'].map(add);
  await nextTurn();
  expect(runs).toEqual([['a1'], ['b1']]);
  ends[0]?.();
  expect(await first).toBe(1);
  await nextTurn();
  expect(runs).toEqual([['a1'], ['b1'], ['a2', 'a3']]);
  ends.forEach((end) => end());
  expect(await Promise.all(later)).toEqual([3, 3, 2]);
  await nextTurn();
  expect(isBusy('a')).toBe(false);
});

test('a failed run is followed by the waiting one', async () => {
  let runs = 0;
  const runAll = async (_context: Context, items: readonly number[]) => {
    await nextTurn();
    if ((runs += 1) === 1) throw new Error('gone');
    return items.map(() => 'done');
  };
  const first = runTogether(context, runAll, 1);
  await nextTurn();
  const second = runTogether(context, runAll, 2);
  await expect(first).rejects.toThrow('gone');
  await expect(second).resolves.toBe('done');
});
