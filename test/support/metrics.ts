// The merchant's counters.

import type { World } from './world';

/** The value of a counter with its labels; 0 if it is missing. */
export async function metric(world: World, name: string): Promise<number> {
  const line = (await world.counters()).split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length) ?? 0);
}
