// The terminal output of `npm start`: the steps of the start with their duration, then the programs' logs. Log lines are held
// back until the start is over, so that they do not break up the steps.

import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

type Output = { write(text: string): unknown; isTTY?: boolean; columns?: number };

export type Screen = {
  /** Shows a running step, and its duration when it is done. Errors of the work are passed on. */
  step<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** Shows each line of a program, formatted by `format`. */
  follow(stream: Readable, format: (line: string) => string, to?: 'output' | 'progress'): void;
  /** Ends the start, also after a failure: shows the lines held back, and later lines at once. */
  release(): void;
};

const REDRAW_MS = 200;
const CLEAR = '\r\x1b[K';

/**
 * @param output for the lines of the programs, such as standard output
 * @param progress for the steps, such as standard error: one line that is redrawn on a terminal, one line per step elsewhere
 */
export function createScreen(output: Output, progress: Output): Screen {
  let held: (() => void)[] | null = [];
  /** The running steps, oldest first. */
  const steps: { name: string; since: number }[] = [];
  let timer: NodeJS.Timeout | undefined;

  function draw(): void {
    const [oldest] = steps;
    if (progress.isTTY && held) progress.write(CLEAR + (oldest ? `${row(oldest, progress.columns)} …` : ''));
  }

  return {
    async step(name, work) {
      const step = { name, since: performance.now() };
      steps.push(step);
      if (!progress.isTTY) progress.write(`${name} …\n`);
      draw();
      timer ??= setInterval(draw, REDRAW_MS).unref();
      try {
        const result = await work();
        if (progress.isTTY && held) progress.write(`${CLEAR}${row(step, progress.columns)}\n`);
        return result;
      } finally {
        steps.splice(steps.indexOf(step), 1);
        draw();
      }
    },
    follow(stream, format, to = 'output') {
      const target = to === 'output' ? output : progress;
      createInterface({ input: stream, crlfDelay: Infinity }).on('line', (line) => {
        const show = () => {
          const text = format(line);
          if (text !== '') target.write(text);
        };
        if (held) held.push(show);
        else show();
      });
    },
    release() {
      clearInterval(timer);
      if (progress.isTTY && held && steps.length > 0) progress.write(CLEAR);
      const waiting = held ?? [];
      held = null;
      for (const show of waiting) show();
    },
  };
}

/** The same layout as the steps of scripts/bootstrap.mjs, which are printed before. */
function row({ name, since }: { name: string; since: number }, columns = 80): string {
  const width = Math.min(46, columns - 14);
  const seconds = ((performance.now() - since) / 1000).toFixed(1).padStart(6);
  return `  ${name.slice(0, width).padEnd(width)}${seconds} s`;
}
