// Calls that come at the same time share a statement, and one of them that cannot be written fails alone.

import { createBatcher } from '../../../src/merchant/platform/batch';
import type { Context } from '../../../src/merchant/platform/context';
import { DatabaseError } from '../../../src/merchant/platform/errors';
import { nextTurn } from '../../support/eventually';

/** Nothing of it is used: a queue belongs to it. */
const context = {} as Context;

test('calls of one turn leave together, and those that come meanwhile leave together afterwards, each with its own result', async () => {
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

test('one item that cannot be written fails alone', async () => {
  const { add: call } = createBatcher<number, number>((_context, items) =>
    items.includes(2) ? Promise.reject(new DatabaseError('22P05')) : Promise.resolve(items),
  );
  const results = await Promise.allSettled([call(context, 1), call(context, 2), call(context, 3)]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await call(context, 4)).toBe(4);
});
