// Counts events over all stories, by name, so that a simulation in which nothing happens does not count as a success.

export type Tally = ReturnType<typeof createTally>;

export function createTally() {
  const counts = new Map<string, number>();
  return {
    add(what: string, times = 1): void {
      if (times > 0) counts.set(what, (counts.get(what) ?? 0) + times);
    },
    count: (what: string): number => counts.get(what) ?? 0,
    /** Sorted by name. */
    toObject: (): Record<string, number> =>
      Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
