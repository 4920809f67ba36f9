// One deadline over all steps of a piece of work. Not AbortSignal.timeout: that keeps its timer, and what hangs on it,
// until the time is over, which in a burst is thousands of calls after they have ended.

export async function withDeadline<T>(
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}
