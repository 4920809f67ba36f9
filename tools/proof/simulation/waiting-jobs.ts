// Pending jobs, in place of the job engine's table: at most one per key, which keeps its first due time.

export type WaitingJob = { name: string; payload: Record<string, string>; key: string; runAt: Date };
export type WaitingJobs = ReturnType<typeof createWaitingJobs>;

export function createWaitingJobs() {
  const waiting = new Map<string, WaitingJob>();
  return {
    add(job: WaitingJob): void {
      if (!waiting.has(job.key)) waiting.set(job.key, job);
    },
    /** Removes and returns the due jobs. */
    takeDue(now: Date): WaitingJob[] {
      const due = [...waiting.values()].filter(({ runAt }) => runAt <= now);
      for (const { key } of due) waiting.delete(key);
      return due;
    },
    count: () => waiting.size,
    isDue: (now: Date) => [...waiting.values()].some(({ runAt }) => runAt <= now),
  };
}
