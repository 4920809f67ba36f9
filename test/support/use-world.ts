// The world of a test file (world.ts), or of each of its tests: it is there before they begin, and taken away after them.

import { startWorld, type World, type WorldOptions } from './world';

/**
 * One world for all tests of a file. To be called where the file declares its hooks; what it returns can be used in tests,
 * and in hooks that are declared after it.
 */
export function useWorld(options?: WorldOptions): World {
  return openBetween(beforeAll, afterAll, options);
}

/** A world for each test. */
export function useFreshWorld(options?: WorldOptions): World {
  return openBetween(beforeEach, afterEach, options);
}

type Hook = (act: () => Promise<void> | undefined) => void;

function openBetween(before: Hook, after: Hook, options?: WorldOptions): World {
  let world: World | undefined;
  before(async () => {
    world = await startWorld(options);
  });
  after(() => world?.close());
  return new Proxy({} as World, {
    get(_, name) {
      if (!world) throw new Error('the world is not there before the hooks have run');
      return Reflect.get(world, name) as unknown;
    },
  });
}
