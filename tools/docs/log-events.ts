// The events of the log with their levels and fields, read from the calls of the logger.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOG_MEANINGS } from './log-meanings';
import { code, table } from './markdown';

const MERCHANT = join(__dirname, '..', '..', 'src', 'merchant');
/** This file writes the lines of requests, which have no event. */
const REQUEST_LOG = 'platform/http/request-log.ts';
const CALL = /\blogger(?:\.(info|warn|error|fatal)|\[[^\]]+\])\(\s*\{([^]*?)\}\s*\)/g;

export type LogCall = { path: string; levels: string[]; body: string };

export function sources() {
  return readdirSync(MERCHANT, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && path !== REQUEST_LOG)
    .sort()
    .map((path) => ({ path, text: readFileSync(join(MERCHANT, path), 'utf8') }));
}

/** Each call of a logger: its level, or both if it depends on a condition, and the source of its argument. */
export function logCalls(): LogCall[] {
  return sources().flatMap(({ path, text }) =>
    [...text.matchAll(CALL)].map(([, level, body = '']) => ({
      path,
      levels: level ? [level] : ['info', 'warn'],
      body,
    })),
  );
}

export function logEvents(): string {
  const levels = levelsByEvent();
  const unknown = [...levels.keys()].filter((event) => !(event in LOG_MEANINGS));
  if (unknown.length > 0)
    throw new Error(`tools/docs/log-meanings.ts: say what these events mean: ${unknown.join(', ')}`);
  // Events of removed options are left out.
  const described = Object.entries(LOG_MEANINGS).filter(([event]) => levels.has(event));
  return table(
    ['Event', 'Level', 'Meaning', 'When to act'],
    described.map(([event, [meaning, act]]) => [
      code(event),
      [...(levels.get(event) ?? [])].sort().join(', '),
      meaning,
      act,
    ]),
  );
}

function levelsByEvent(): Map<string, Set<string>> {
  const events = new Map<string, Set<string>>();
  const add = (event: string, levels: readonly string[]) =>
    events.set(event, new Set([...(events.get(event) ?? []), ...levels]));
  for (const { levels, body } of logCalls()) {
    const [, value = ''] = /\bevent: ([^,}]+)/.exec(body) ?? [];
    for (const [, event = ''] of value.matchAll(/'(\w+)'/g)) add(event, levels);
  }
  // server.ts logs its last line with an event that is passed as an argument.
  for (const { text } of sources())
    for (const [, event = ''] of text.matchAll(/\bfail\(logger, '(\w+)'/g)) add(event, ['fatal']);
  return events;
}
