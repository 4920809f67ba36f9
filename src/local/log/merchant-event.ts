// The merchant's log on a terminal: requests with their results, and named events (docs/05-monitoring.md lists them all).

import { others, pick, recordOf, shown, toneOf, type LogEntry, type ShownEvent } from './log-entry';

/** Ids, the most informative first. */
const IDS = [
  'merchant_uid',
  'svc_uid',
  'customer_uid',
  'subscription_id',
  'charge_id',
  'refund_id',
  'issuance_id',
  'discrepancy_id',
  'event_id',
];
const WEBHOOK = '/webhooks/payments';

/** Returns null for events that are noise on a terminal: static files, and facts that the banner shows. */
export function merchantEvent(entry: LogEntry): ShownEvent | null {
  if (entry['req'] !== undefined) return requestEvent(entry);
  const event = shown(entry['event']);
  if (event === null || QUIET.has(event) || isEmptySweep(event, entry)) return null;
  const special = SPECIAL[event]?.(entry);
  return special ?? namedEvent(event, entry);
}

/** `npm start` reports these itself. */
const QUIET = new Set(['listening', 'stopping']);

/** Logged at each start; usually nothing was deleted. */
function isEmptySweep(event: string, { level: _, ...entry }: LogEntry): boolean {
  return (
    event === 'old_rows_deleted' &&
    Object.values(entry).every((value) => typeof value !== 'number' || value === 0)
  );
}

function requestEvent(entry: LogEntry): ShownEvent | null {
  const req = recordOf(entry['req']);
  const [method, path] = [shown(req['method']) ?? '?', shown(req['path']) ?? '?'];
  const status = Number(recordOf(entry['res'])['status']);
  if (path.startsWith('/static/') && status < 400) return null;
  const ids = pick(entry, IDS);
  const { name, id } = nameOf(method, path);
  const isAborted = entry['msg'] === 'request aborted';
  return {
    mark: '<-',
    what:
      path === WEBHOOK && method === 'POST'
        ? [shown(entry['claimed_status']) ?? 'notification', ...ids]
        : [name, ...ids, ...(id !== null && !ids.includes(id) && !name.includes(id) ? [id] : [])],
    result: [
      isAborted ? 'aborted' : String(status),
      ...pick(entry, [entry['outcome'] === undefined ? 'error_code' : 'outcome', 'reason', 'limit']),
      `${Number(entry['responseTime'])} ms`,
    ],
    tone:
      status >= 500
        ? 'error'
        : status >= 400 || isAborted || entry['outcome'] === 'queued'
          ? 'warning'
          : 'good',
    notes: [],
  };
}

/** Names of common requests; others are shown with method and path. */
const REQUESTS: [pattern: RegExp, name: string][] = [
  [/^POST \/cards$/, 'card form'],
  [/^POST \/cards\/([^/]+)\/replace$/, 'replace card'],
  [/^POST \/cards\/([^/]+)\/remove$/, 'remove card'],
  [/^GET \/orders\/([^/]+)\/return$/, 'return'],
  [/^POST \/api\/orders$/, 'order'],
  [/^POST \/api\/orders\/([^/]+)\/charge$/, 'charge'],
  [/^POST \/api\/orders\/([^/]+)\/close$/, 'close order'],
  [/^POST \/api\/onetime$/, 'one-time payment'],
  [/^POST \/api\/payments\/([^/]+)\/cancel$/, 'refund'],
  [/^POST \/api\/payments\/([^/]+)\/sync$/, 'sync'],
  [/^POST \/api\/discrepancies\/([^/]+)\/refund$/, 'refund discrepancy'],
  [/^POST \/api\/discrepancies\/([^/]+)\/resolve$/, 'resolve discrepancy'],
  [/^POST \/api\/charges\/([^/]+)\/settle$/, 'settle charge'],
  [/^POST \/api\/refunds\/([^/]+)\/settle$/, 'settle refund'],
  [/^POST \/api\/issuances\/([^/]+)\/settle$/, 'settle issuance'],
  [/^POST \/api\/schedules$/, 'schedule'],
  [/^POST \/api\/schedules\/revoke$/, 'revoke schedule'],
  [/^POST \/api\/subscriptions$/, 'subscription'],
  [/^POST \/api\/subscriptions\/([^/]+)\/cancel$/, 'cancel subscription'],
  [/^POST \/api\/members\/[^/]+\/erase$/, 'erase member'],
];

function nameOf(method: string, path: string): { name: string; id: string | null } {
  const request = `${method} ${path}`;
  for (const [pattern, name] of REQUESTS) {
    const match = pattern.exec(request);
    if (match) return { name, id: match[1] ?? null };
  }
  return { name: request, id: null };
}

/** Events with their own text. */
const SPECIAL: Record<string, (entry: LogEntry) => ShownEvent> = {
  order_event: (entry) => ({
    mark: '->',
    what: pick(entry, ['type', 'id']),
    result: ['delivered to the shop'],
    tone: 'good',
    notes: [],
  }),
  reconciliation: (entry) => {
    const counts = [...Object.values(recordOf(entry['lists'])), entry['earlier']].map(recordOf);
    const sum = (name: string) => counts.reduce((total, list) => total + (Number(list[name]) || 0), 0);
    const unresolved = counts
      .flatMap((list) => Object.values(recordOf(list['unresolved'])))
      .reduce<number>((total, count) => total + Number(count), 0);
    const stoppedBy = new Set(counts.flatMap((list) => shown(list['stopped_by']) ?? []));
    const isComplete = entry['complete'] === true;
    // Interrupted by the stop of the server; the next run continues from there.
    const isInterrupted = stoppedBy.size === 1 && stoppedBy.has('interrupted');
    return {
      mark: isComplete || isInterrupted ? '--' : '!!',
      what: ['reconciliation'],
      result: [
        isComplete
          ? `${sum('seen')} seen, ${sum('matched')} matched, ${sum('repaired')} repaired, ${unresolved} unresolved`
          : `not finished: ${[...stoppedBy].join(', ')}`,
      ],
      tone: isInterrupted ? 'plain' : isComplete && unresolved === 0 ? 'good' : 'warning',
      notes: [],
    };
  },
};

const SUBJECT = ['attempt', 'decided', 'kind', 'id', ...IDS];
const RESULT = ['outcome', 'resolution', 'reason'];
const NOTES = ['meaning', 'fix'];
const SAID = new Set([
  ...['level', 'time', 'event', 'msg', 'request_id', 'err'],
  ...SUBJECT,
  ...RESULT,
  ...NOTES,
]);

function namedEvent(event: string, entry: LogEntry): ShownEvent {
  const tone = toneOf(entry);
  return {
    mark: tone === 'plain' ? '--' : '!!',
    what: [event.replaceAll('_', ' '), ...pick(entry, SUBJECT), ...others(entry, SAID)],
    result: pick(entry, RESULT),
    tone,
    notes: [...causeOf(entry['err']), ...pick(entry, NOTES)],
  };
}

/** The logged error: its type and fields, and the first line of the stack if the log has one. */
function causeOf(error: unknown): string[] {
  const { type, at, ...facts } = recordOf(error);
  const name = shown(type);
  if (name === null) return [];
  const [place] = Array.isArray(at) ? (at as unknown[]) : [];
  const said = Object.entries(facts).flatMap(([fact, value]) => {
    const text = shown(value);
    return text === null ? [] : [fact === 'kind' || fact === 'code' ? text : `${fact} ${text}`];
  });
  return [[`cause: ${name}`, ...said, ...(typeof place === 'string' ? [place] : [])].join(', ')];
}
