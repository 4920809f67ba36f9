// Seeded random numbers: the same seed makes the same choices in the same order.

export type Random = ReturnType<typeof seededRandom>;

/** Mulberry32: small, and good enough to choose between a few possibilities. */
export function seededRandom(seed: number) {
  let state = seed >>> 0;

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  return {
    /** From 0 up to 1. */
    next,
    chance: (probability: number): boolean => next() < probability,
    /** From 0 to `below` - 1. */
    int: (below: number): number => Math.floor(next() * below),
    /** From `least` to `most`, inclusive. */
    between: (least: number, most: number): number => least + Math.floor(next() * (most - least + 1)),
    pick<Item>(items: readonly Item[]): Item {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error('there is nothing to pick from');
      return item;
    },
    /** A random item, by weight. */
    weighted<Item>(items: readonly (readonly [weight: number, item: Item])[]): Item {
      let left = next() * items.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, item] of items) {
        left -= weight;
        if (left < 0) return item;
      }
      throw new Error('there is nothing to pick from');
    },
  };
}
