// Opens resources before the tests of a file, or before each test, and closes them afterwards in reverse order.

type Hook = (act: () => Promise<void> | undefined) => void;

const closers: (() => Promise<void>)[] = [];

/** Call it where a file declares its hooks. The result can be used in tests, and in hooks declared later. */
export function openBetween<Opened extends object>(
  before: Hook,
  after: Hook,
  open: () => Opened | Promise<Opened>,
  close: (opened: Opened) => Promise<void>,
): Opened {
  let opened: Opened | undefined;
  before(async () => {
    const now = await open();
    closers.push(async () => {
      await close(now);
      // A share of many files would otherwise keep every world to its end.
      opened = undefined;
    });
    opened = now;
  });
  after(() => closers.pop()?.());
  const whole = (): Opened => {
    if (!opened) throw new Error('it is not there before the hooks have run');
    return opened;
  };
  return new Proxy({} as Opened, {
    get(_, name) {
      const value: unknown = Reflect.get(whole(), name);
      return typeof value === 'function' ? (value.bind(whole()) as unknown) : value;
    },
    set: (_, name, value) => Reflect.set(whole(), name, value),
  });
}

type Closable = { close(): Promise<unknown> };

/** One for all tests of a file. */
export const openForAll = <Opened extends Closable>(open: () => Opened | Promise<Opened>): Opened =>
  openBetween(beforeAll, afterAll, open, closeIt);

/** One for each test. */
export const openForEach = <Opened extends Closable>(open: () => Opened | Promise<Opened>): Opened =>
  openBetween(beforeEach, afterEach, open, closeIt);

const closeIt = async (opened: Closable): Promise<void> => void (await opened.close());
