// The jobs that wait, in place of the job engine's table: one for each key, which keeps the time it was first wanted for.

export type WaitingJob = { name: string; payload: Record<string, string>; key: string; runAt: Date };
export type WaitingJobs = ReturnType<typeof createWaitingJobs>;

export function createWaitingJobs() {
  const waiting = new Map<string, WaitingJob>();
  return {
    add(job: WaitingJob): void {
      if (!waiting.has(job.key)) waiting.set(job.key, job);
    },
    /** Takes what is due away. */
    takeDue(now: Date): WaitingJob[] {
      const due = [...waiting.values()].filter(({ runAt }) => runAt <= now);
      for (const { key } of due) waiting.delete(key);
      return due;
    },
    count: () => waiting.size,
    isDue: (now: Date) => [...waiting.values()].some(({ runAt }) => runAt <= now),
  };
}
