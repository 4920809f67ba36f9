// The merchant's calls in the stream and on their own page: path, what was sent and answered, and the call as curl. Equal
// reads in a row are one line.

import type { LoggedRequest, RequestLog } from '../http/request-log';
import type { Locale } from '../locales/ko';
import { quoted } from '../stories/scene';
import { timeText, type Item } from './texts';

/** The last reads of a folded line that are shown when it is opened. */
const SHOWN_READS = 3;
const TOKENS = ['POST /users/getToken', 'POST /v2/signin/api-key'];

export const isTokenCall = ({ endpoint }: LoggedRequest): boolean => TOKENS.includes(endpoint);

type Place = { requestLog: RequestLog; base: string; now: number };

/** Whether two reads in a row say the same. */
export const isSameRead = (one: LoggedRequest, other: LoggedRequest): boolean =>
  one.method === 'GET' &&
  other.method === 'GET' &&
  one.endpoint === other.endpoint &&
  one.svc_uid === other.svc_uid &&
  one.path === other.path &&
  one.status === other.status &&
  one.fault === other.fault;

/** @param equal one call, or several equal reads, the oldest first */
export function viewRequests(equal: readonly LoggedRequest[], place: Place, t: Locale): Item | null {
  const last = equal.at(-1);
  if (!last) return null;
  const { console: c } = t;
  const isFine = last.status !== null && last.status < 400;
  const word = last.endpoint === 'unknown' ? c.unknown : last.method === 'GET' ? c.looked : c.called;
  return {
    id: `r${last.number}`,
    title: `${word} · ${last.method} ${pathOf(last)}${equal.length > 1 ? ` ×${equal.length}` : ''}`,
    state: { text: last.status === null ? c.cut : String(last.status), tone: isFine ? 'plain' : 'bad' },
    at: timeText(last.at, place.now, t),
    note: [last.fault && `${c.fault}: ${last.fault}`, last.bare_token && c.bareToken]
      .filter(Boolean)
      .join(' · '),
    parts: equal.slice(-SHOWN_READS).map((request) => partOf(request, place, t)),
  };
}

function partOf(request: LoggedRequest, { requestLog, base, now }: Place, t: Locale): Item['parts'][number] {
  const { method, status, at, took_ms: tookMs } = request;
  const details = requestLog.detailsOf(request.number);
  const path = `${pathOf(request)}${details?.query ?? ''}`;
  return {
    title: `${timeText(at, now, t).exact} · ${tookMs ?? '…'} ms`,
    text: [`${method} ${path}`, details?.sent].filter(Boolean).join('\n\n'),
    curl: curlOf(request, `${base}${path}`, details?.sent ?? null),
    answer: details ? [status ?? t.console.cut, details.received].filter(Boolean).join('\n\n') : null,
  };
}

/** The path as it was sent. The log masks its digits, except those of a payment. */
export function pathOf({ path, endpoint, svc_uid: svcUid }: LoggedRequest): string {
  const pattern = endpoint.split(' ')[1] ?? '';
  return svcUid !== null && /:svc_uid|:payment_id/.test(pattern)
    ? pattern.replace(/:svc_uid|:payment_id/, svcUid)
    : path;
}

/** Credentials appear as shell variables. */
function curlOf(request: LoggedRequest, url: string, sent: string | null): string {
  const { method, endpoint } = request;
  const verb = method === 'GET' ? 'curl' : `curl -X ${method}`;
  if (isTokenCall(request)) {
    const fields =
      endpoint === TOKENS[0]
        ? '-d "svc_key=$SERVICE_KEY" -d "svc_secret=$SERVICE_SECRET"'
        : '-d "api_key=$SERVICE_API_KEY"';
    return `${verb} ${quoted(url)} ${fields}`;
  }
  const body = sent === null ? '' : ` -H 'Content-Type: application/json' -d ${quoted(sent)}`;
  return `${verb} ${quoted(url)} -H "Authorization: Bearer $ACCESS_TOKEN"${body}`;
}
