// What a program wrote to its log, line by line.

import { createLogger, type Logger } from '../../src/merchant/logger';

export type RecordedLog = {
  logger: Logger;
  /** Everything that was written, as it would stand in a file. */
  text(): string;
  lines(): Record<string, unknown>[];
  events(name: string): Record<string, unknown>[];
  clear(): void;
};

export function createRecordedLog(level = 'info'): RecordedLog {
  const chunks: string[] = [];
  const lines = (): Record<string, unknown>[] =>
    chunks
      .join('')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return {
    logger: createLogger(level, { write: (chunk) => void chunks.push(chunk) }),
    text: () => chunks.join(''),
    lines,
    events: (name) => lines().filter((line) => line['event'] === name),
    clear: () => void chunks.splice(0),
  };
}
