// The log of a program, line by line.

import { createLogger } from '../../src/merchant/platform/logger';
import { eventually } from './eventually';

export function createRecordedLog(level = 'info') {
  const chunks: string[] = [];
  const lines = (): Record<string, unknown>[] =>
    chunks
      .join('')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const requestsWith = (fields: Record<string, unknown>) =>
    lines().filter(
      (line) => line['req'] && Object.entries(fields).every(([name, value]) => line[name] === value),
    );
  return {
    logger: createLogger(level, { write: (chunk) => void chunks.push(chunk) }),
    /** The whole log, as in a file. */
    text: () => chunks.join(''),
    lines,
    events: (name: string) => lines().filter((line) => line['event'] === name),
    /** Request lines with these fields. A line is written after the answer, so this waits for `enough` lines. */
    async requests(fields: Record<string, unknown>, enough = 1) {
      await eventually(() => requestsWith(fields).length >= enough);
      return requestsWith(fields);
    },
    clear: () => void chunks.splice(0),
  };
}
