// What `npm start` shows: the steps of the start with their duration, then what the programs log. While a step is under way
// the lines of the programs wait, so that they do not break into it.

import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

type Output = { write(text: string): unknown; isTTY?: boolean; columns?: number };

export type Screen = {
  /** Shows what is being done, for how long, and that it is done. Throws what the work throws. */
  step<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** Shows each line of a program as `format` has it. */
  follow(stream: Readable, format: (line: string) => string, to?: 'output' | 'progress'): void;
  /** The start is over, or has failed: what has waited is shown, and what comes next at once. */
  release(): void;
};

const REDRAW_MS = 200;
const CLEAR = '\r\x1b[K';

/**
 * @param output for the lines of the programs, such as standard output
 * @param progress for the steps, such as standard error: a line that is drawn again on a terminal, one line for each step
 * elsewhere
 */
export function createScreen(output: Output, progress: Output): Screen {
  let held: (() => void)[] | null = [];
  /** Those under way, the oldest first. */
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

/** As the steps of scripts/bootstrap.mjs look, which come before. */
function row({ name, since }: { name: string; since: number }, columns = 80): string {
  const width = Math.min(46, columns - 14);
  const seconds = ((performance.now() - since) / 1000).toFixed(1).padStart(6);
  return `  ${name.slice(0, width).padEnd(width)}${seconds} s`;
}
