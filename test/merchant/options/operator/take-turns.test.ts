// Tasks that take turns: never two at a time, and no longer queue than said.

import { takeTurns } from '../../../../src/merchant/options/operator/accounts/password';

/** A task that ends when it is told to. */
function heldTask() {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { run: () => ended, end };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('one task runs at a time, in the order of the calls', async () => {
  const turns = takeTurns(10);
  const begun: number[] = [];
  const tasks = [0, 1, 2].map(() => heldTask());
  const results = tasks.map((task, i) =>
    turns.run(async () => {
      begun.push(i);
      await task.run();
      return i;
    }),
  );
  for (const [i, task] of tasks.entries()) {
    await turn();
    expect(begun).toHaveLength(i + 1);
    task.end();
    await results[i];
  }
  expect(begun).toEqual([0, 1, 2]);
  expect(await Promise.all(results)).toEqual([0, 1, 2]);
});

test('a call beyond those that may wait is refused without running its task', async () => {
  const turns = takeTurns(2);
  const held = heldTask();
  const inside = [1, 2, 3].map(() => turns.run(held.run));
  const refused = jest.fn();
  expect(await turns.run(refused)).toBeNull();
  expect(refused).not.toHaveBeenCalled();
  held.end();
  await Promise.all(inside);
  expect(await turns.run(() => Promise.resolve('next'))).toBe('next');
});

test('a task that fails makes room for the next one', async () => {
  const turns = takeTurns(0);
  await expect(turns.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await turns.run(() => Promise.resolve('next'))).toBe('next');
});
