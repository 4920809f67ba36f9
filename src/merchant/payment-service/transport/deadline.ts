// One deadline over all steps of a piece of work. Every call has one, so it is lighter than an AbortController. Not
// AbortSignal.timeout either: that keeps its timer, and what hangs on it, until the time is over, which in a burst is
// thousands of calls after they have ended.

export class Deadline {
  isOver = false;
  /** Called when it is over: how the step that is under way is ended. Steps follow one another. */
  onOver: (() => void) | null = null;
  private readonly timer: NodeJS.Timeout;

  constructor(timeoutMs: number) {
    this.timer = setTimeout(() => {
      this.isOver = true;
      this.onOver?.();
    }, timeoutMs);
  }

  /** The work has ended. */
  end(): void {
    clearTimeout(this.timer);
  }
}

export async function withDeadline<T>(
  timeoutMs: number,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const deadline = new Deadline(timeoutMs);
  try {
    return await work(deadline);
  } finally {
    deadline.end();
  }
}
