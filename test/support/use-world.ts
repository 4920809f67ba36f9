// The world of a test file (world.ts), or of each of its tests, and a process beside its merchant.

import { closeContext, type Context } from '../../src/merchant/context';
import { openContext } from './beside-world';
import { openBetween } from './open-between';
import { startWorld, type World, type WorldOptions } from './world';

/** One world for all tests of a file. */
export function useWorld(options?: WorldOptions): World {
  return openBetween(
    beforeAll,
    afterAll,
    () => startWorld(options),
    (world) => world.close(),
  );
}

/** A world for each test. */
export function useFreshWorld(options?: WorldOptions): World {
  return openBetween(
    beforeEach,
    afterEach,
    () => startWorld(options),
    (world) => world.close(),
  );
}

/** Another process on the database of a world, for all tests of a file. */
export function useContext(world: World): Context {
  return openBetween(beforeAll, afterAll, () => openContext(world), closeContext);
}
