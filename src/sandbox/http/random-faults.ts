// Faults chosen by a seed: the same seed gives the same faults on the same endpoints, so that a failed run can be
// repeated.

import { z } from 'zod';
import { FAULT_KINDS } from './faults';
import { parseFields, wholeNumber } from './fields';

const randomSchema = z.object({
  seed: wholeNumber(0, 2 ** 32 - 1),
  count: wholeNumber(1, 1000).default(10),
});

/** Returns fields for `Faults.add`; each fault applies once. */
export function randomFaults(fields: unknown, endpoints: readonly string[]) {
  const { seed, count } = parseFields(randomSchema, fields);
  const random = seededRandom(seed);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)];
  return Array.from({ length: count }, () => ({
    endpoint: pick(endpoints),
    kind: pick(FAULT_KINDS),
    times: 1,
  }));
}

// A counter through an integer hash (the finaliser of MurmurHash3), which gives the same numbers on every machine.
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    const once = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
    return ((twice ^ (twice >>> 16)) >>> 0) / 2 ** 32;
  };
}
