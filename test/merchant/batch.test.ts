// Calls that come at the same time share a statement, and one of them that cannot be written fails alone.

import { batched } from '../../src/merchant/batch';
import type { Context } from '../../src/merchant/context';
import { DatabaseError } from '../../src/merchant/errors';
import { nextTurn } from '../support/eventually';

/** Nothing of it is used: a queue belongs to it. */
const context = {} as Context;

/** A statement that is answered when the test says so. */
function heldStatement() {
  const calls: { items: readonly number[]; end(error?: Error): void }[] = [];
  const send = batched<number, string>(
    (_context, items) =>
      new Promise((resolve, reject) => {
        calls.push({
          items,
          end: (error) => (error ? reject(error) : resolve(items.map((item) => `done ${item}`))),
        });
      }),
  );
  return { call: (item: number) => send(context, item), calls };
}

test('a lone call leaves at once', async () => {
  const { call, calls } = heldStatement();
  const result = call(1);
  await nextTurn();
  expect(calls.map(({ items }) => items)).toEqual([[1]]);
  calls[0]?.end();
  expect(await result).toBe('done 1');
});

test('calls of one turn leave together, and those that come meanwhile leave together afterwards, each with its own result', async () => {
  const { call, calls } = heldStatement();
  const first = [call(1), call(2)];
  await nextTurn();
  const second = [call(3), call(4), call(5)];
  await nextTurn();
  expect(calls).toHaveLength(1);
  calls[0]?.end();
  await nextTurn();
  expect(calls.map(({ items }) => items)).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
  calls[1]?.end();
  expect(await Promise.all([...first, ...second])).toEqual([
    'done 1',
    'done 2',
    'done 3',
    'done 4',
    'done 5',
  ]);
});

test('one item that cannot be written fails alone', async () => {
  const call = batched<number, number>((_context, items) =>
    items.includes(2) ? Promise.reject(new DatabaseError('22P05')) : Promise.resolve(items),
  );
  const results = await Promise.allSettled([call(context, 1), call(context, 2), call(context, 3)]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await call(context, 4)).toBe(4);
});

test('a database that is gone is asked once for all of them', async () => {
  let statements = 0;
  const call = batched<number, number>(() => {
    statements += 1;
    return Promise.reject(new DatabaseError('ECONNREFUSED'));
  });
  const results = await Promise.allSettled([call(context, 1), call(context, 2), call(context, 3)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(statements).toBe(1);
});

test('each context has a queue of its own', async () => {
  const seen: (readonly number[])[] = [];
  const call = batched<number, number>((_context, items) => {
    seen.push(items);
    return Promise.resolve(items);
  });
  await Promise.all([call(context, 1), call({} as Context, 2)]);
  expect(seen).toEqual([[1], [2]]);
});
