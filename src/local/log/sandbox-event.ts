// The sandbox's log on a terminal: the merchant's calls, as the service receives them.

import { others, pick, shown, toneOf, type LogEntry, type ShownEvent } from './log-entry';

/** Calls that the merchant repeats automatically. They are shown only if they fail. */
const ROUTINE =
  /^(POST \/users\/getToken|POST \/v2\/signin|GET \/payments\/status\/|GET \/subscribe\/payments\/schedule$)/;
const SAID = new Set(['level', 'time', 'pid', 'name', 'msg', 'error', 'endpoint', 'url', 'console']);

/** Returns null for facts that the banner shows, and for successful routine calls. */
export function sandboxEvent(entry: LogEntry): ShownEvent | null {
  const tone = toneOf(entry);
  if (entry['msg'] === 'request') return callEvent(entry);
  if (entry['msg'] === 'ready') return null;
  return {
    mark: tone === 'plain' ? '--' : '!!',
    what: ['sandbox', ...pick(entry, ['msg', 'endpoint']), ...others(entry, SAID)],
    result: [],
    tone,
    notes: pick(entry, ['error']).map((error) => `cause: ${error.split('\n').slice(0, 2).join(' ')}`),
  };
}

function callEvent(entry: LogEntry): ShownEvent | null {
  const status = entry['status'];
  const isGood = typeof status === 'number' && status < 400;
  const endpoint = shown(entry['endpoint']) ?? '?';
  const fault = shown(entry['fault']);
  if (isGood && fault === null && ROUTINE.test(endpoint)) return null;
  return {
    mark: '<-',
    what: ['sandbox', ['method', 'path'].map((name) => shown(entry[name]) ?? '?').join(' ')],
    result: [
      shown(status) ?? 'no answer',
      ...(fault === null ? [] : [`fault: ${fault}`]),
      ...(entry['took_ms'] === null || entry['took_ms'] === undefined
        ? []
        : [`${Number(entry['took_ms'])} ms`]),
    ],
    tone: isGood ? 'plain' : 'warning',
    notes: [],
  };
}
