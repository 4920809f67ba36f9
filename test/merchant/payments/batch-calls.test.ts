import { DatabaseFault } from '../../../src/merchant/errors';
import { batchCalls } from '../../../src/merchant/payments/batch-calls';

/** A statement that is answered when the test says so. */
function heldStatement() {
  const calls: { items: readonly number[]; end(error?: Error): void }[] = [];
  const call = batchCalls<number, string>(
    (items) =>
      new Promise((resolve, reject) => {
        calls.push({
          items,
          end: (error) => (error ? reject(error) : resolve(items.map((item) => `done ${item}`))),
        });
      }),
  );
  return { call, calls };
}
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

test('a lone call leaves at once', async () => {
  const { call, calls } = heldStatement();
  const result = call(1);
  await settle();
  expect(calls.map(({ items }) => items)).toEqual([[1]]);
  calls[0]?.end();
  expect(await result).toBe('done 1');
});

test('calls of one turn leave together, and those that come meanwhile leave together afterwards, each with its own result', async () => {
  const { call, calls } = heldStatement();
  const first = [call(1), call(2)];
  await settle();
  const second = [call(3), call(4), call(5)];
  await settle();
  expect(calls).toHaveLength(1);
  calls[0]?.end();
  await settle();
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
  const call = batchCalls<number, number>((items) =>
    items.includes(2) ? Promise.reject(new DatabaseFault('22P05')) : Promise.resolve(items),
  );
  const results = await Promise.allSettled([call(1), call(2), call(3)]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await call(4)).toBe(4);
});

test('a database that is gone is asked once for all of them', async () => {
  let statements = 0;
  const call = batchCalls<number, number>(() => {
    statements += 1;
    return Promise.reject(new DatabaseFault('ECONNREFUSED'));
  });
  const results = await Promise.allSettled([call(1), call(2), call(3)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(statements).toBe(1);
});
