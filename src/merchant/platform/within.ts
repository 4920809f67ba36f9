/** The result, or null if it takes longer. A host timer, not the clock: it bounds how long somebody waits. */
export function within<T>(limitMs: number, work: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, limitMs, null);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
