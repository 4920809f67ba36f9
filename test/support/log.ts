// What a program wrote to its log, line by line.

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
    /** Everything that was written, as it would stand in a file. */
    text: () => chunks.join(''),
    lines,
    events: (name: string) => lines().filter((line) => line['event'] === name),
    /** Lines of requests that have these fields. One is written after its answer, so this waits until there are enough. */
    async requests(fields: Record<string, unknown>, enough = 1) {
      await eventually(() => requestsWith(fields).length >= enough);
      return requestsWith(fields);
    },
    clear: () => void chunks.splice(0),
  };
}
