// The parts of `npm start` end together. test/processes/start.test.ts has their ends as processes.

import { runToEnd, type Part } from '../../src/local/lifetime';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
let before: Map<string, readonly unknown[]>;
beforeEach(() => {
  before = new Map(SIGNALS.map((signal) => [signal, process.listeners(signal)]));
});
afterEach(() => {
  for (const signal of SIGNALS)
    for (const listener of process.listeners(signal))
      if (!before.get(signal)?.includes(listener)) process.off(signal, listener);
});

/** Three parts that note when they are stopped. */
function partsOf(stopped: string[]) {
  return ['database', 'merchant', 'sandbox'].map((name) => {
    let end = (): void => undefined;
    const exited = new Promise<void>((resolve) => (end = resolve));
    const part: Part = { name, exited, stop: () => Promise.resolve(void stopped.push(name)) };
    return { part, end };
  });
}

test.each(['database', 'merchant', 'sandbox'])(
  'if the %s ends by itself, all parts are stopped in reverse order, and one line names it',
  async (name) => {
    const stopped: string[] = [];
    const parts = partsOf(stopped);
    const running = runToEnd(async (add) => {
      for (const { part } of parts) add(part);
      parts.find(({ part }) => part.name === name)?.end();
      return new Promise<never>(() => undefined);
    });
    await expect(running).rejects.toThrow(`The ${name} has ended, so everything else is stopped.`);
    expect(stopped).toEqual(['sandbox', 'merchant', 'database']);
  },
);

test('work that ends, and work that fails, stop all parts', async () => {
  const stopped: string[] = [];
  const parts = partsOf(stopped);
  const begun = (add: (part: Part) => void) => parts.forEach(({ part }) => add(part));
  expect(await runToEnd((add) => Promise.resolve(begun(add)).then(() => 'done'))).toBe('done');
  const failing = runToEnd((add) =>
    Promise.resolve(begun(add)).then(() => Promise.reject(new Error('failed'))),
  );
  await expect(failing).rejects.toThrow('failed');
  expect(stopped).toEqual(['sandbox', 'merchant', 'database', 'sandbox', 'merchant', 'database']);
});
