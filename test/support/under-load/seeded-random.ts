// Choices that a seed decides: the same seed makes the same ones in the same order. What real processes do in between has
// its own timing, so a seed repeats what was tried and not each interleaving.

export type Random = {
  /** An integer from `least` to `most`, both included. */
  between(least: number, most: number): number;
  /** True in `percent` of all cases. */
  chance(percent: number): boolean;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
};

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return {
    between,
    chance: (percent) => next() * 100 < percent,
    pick: (items) => items[between(0, items.length - 1)] ?? items[0],
  };
}
