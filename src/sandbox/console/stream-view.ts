// The activity stream: payments, latest change first, each with its notifications (every attempt with the merchant's answer)
// and the merchant's calls about it. Calls that concern no payment follow; repeated ones (tokens, lists) are only counted.

import type { Request } from 'express';
import type { ControlContext } from '../controls/control-context';
import type { LoggedRequest } from '../http/request-log';
import type { Locale } from '../locales/ko';
import type { Attempt, Notification } from '../notifications/notification';
import { isSuccess } from '../notifications/resend-delay';
import { cancelledAmount, type Payment } from '../payments/payment';
import { quoted } from '../stories/scene';
import { answerText } from './press';
import { placesOf } from './scene-of';
import { amountText, stateOf, timeText, type TimeText, type Tone } from './texts';

const MAX_GROUPS = 20;
const MAX_ITEMS = 25;
const MAX_SEARCHED = 2_000;
const TOKENS = ['POST /users/getToken', 'POST /v2/signin/api-key'];
const LISTS = /^GET \/(payments\/status|subscribe\/payments\/schedule|subscribe\/customers)/;

export type Item = {
  id: string;
  title: string;
  state: { text: string; tone: Tone };
  at: TimeText;
  note: string;
  parts: { title: string; text: string; curl: string | null; answer: string | null }[];
};

export type StreamQuery = { q: string; show: string };

const streamQuery = ({ query }: Request): StreamQuery => ({
  q: typeof query['q'] === 'string' ? query['q'].trim().slice(0, 100) : '',
  show: typeof query['show'] === 'string' ? query['show'] : 'all',
});

export function viewStream(context: ControlContext, request: Request, t: Locale) {
  const { service, requestLog } = context;
  const query = streamQuery(request);
  const now = service.clock.now();
  const notifications = service.notifier.list();
  const requests = requestLog.list();
  const base = placesOf(request, service).sandboxUrl;
  const viewed = (happened: Happened[]): Item[] =>
    happened
      .slice(-MAX_ITEMS)
      .map((one) => ('id' in one ? viewNotification(one, now, t) : viewRequest(one, base, now, t)));
  const byPayment = new Map<string | null, Happened[]>();
  for (const one of [...notifications, ...requests]) {
    const kept = byPayment.get(one.svc_uid);
    if (kept) kept.push(one);
    else byPayment.set(one.svc_uid, [one]);
  }
  const happenedTo = (svcUid: string | null): Happened[] =>
    (byPayment.get(svcUid) ?? []).sort((one, other) => secondsOf(one) - secondsOf(other));

  // Only the entries shown are rendered: a log has thousands.
  const groups = findPayments(context, query)
    .filter(({ svcUid, status }) => {
      if (query.show === 'waiting') return status === 'ready';
      return query.show !== 'trouble' || happenedTo(svcUid).some(isTrouble);
    })
    .slice(0, MAX_GROUPS)
    .map((payment) => ({
      ...viewPayment(payment, now, t),
      items: viewed(happenedTo(payment.svcUid)),
    }));
  const isPlain = query.q === '' && query.show === 'all';
  const loose = isPlain ? happenedTo(null) : [];
  const isToken = (one: Happened) => 'endpoint' in one && TOKENS.includes(one.endpoint);
  const isList = (one: Happened) => 'endpoint' in one && LISTS.test(one.endpoint);
  return {
    query,
    groups,
    others: viewed(loose.filter((one) => !isToken(one) && !isList(one))).reverse(),
    tokens: loose.filter(isToken).length,
    sweeps: loose.filter(isList).length,
    isEmpty: service.payments.count() === 0,
  };
}

type Happened = Notification | LoggedRequest;

const secondsOf = (one: Happened): number => ('id' in one ? one.created_at : one.at);

/** A call of the merchant that failed, or a notification that it did not accept. */
function isTrouble(one: Happened): boolean {
  if ('endpoint' in one) return one.status === null || one.status >= 400;
  const last = one.attempts.at(-1);
  return last !== undefined && !isSuccess(last);
}

/** Sorted by last change, newest first. A search covers the newest payments, and finds any payment by its exact id. */
export function findPayments({ service }: ControlContext, { q, show }: StreamQuery): Payment[] {
  const latest = { filter: 'all', sort: 'updated', newestFirst: true } as const;
  const everything = { from: 0, to: Infinity, includeSandbox: true };
  const count = q === '' && show === 'all' ? MAX_GROUPS : MAX_SEARCHED;
  const { payments } = service.payments.byStatus({ ...latest, ...everything }, 0, count);
  if (q === '') return payments;
  const exact = [service.payments.find(q), ...service.payments.ofOrder(q)].filter((one) => one !== undefined);
  const found = payments.filter((one) =>
    [one.svcUid, one.merchantUid, one.customerUid ?? ''].some((id) => id.includes(q)),
  );
  const isNew = ({ svcUid }: Payment) => !found.some((one) => one.svcUid === svcUid);
  return [...exact.filter((one, index) => isNew(one) && exact.indexOf(one) === index), ...found];
}

export function viewPayment(payment: Payment, now: number, t: Locale) {
  const { svcUid, merchantUid, customerUid, status, amount, currency } = payment;
  const cancelled = cancelledAmount(payment);
  const isPartly = cancelled > 0 && cancelled < amount;
  return {
    svcUid,
    merchantUid,
    customerUid,
    status,
    failReason: payment.failReason,
    state: stateOf(isPartly ? 'paid' : status, t),
    partly: isPartly ? t.console.partly(amountText(cancelled, currency, t)) : '',
    amount: amountText(amount, currency, t),
    at: timeText(payment.updatedAt, now, t),
    actions: [
      ...(status === 'ready' ? (['deposit'] as const) : []),
      ...(payment.paidAt > 0 && cancelled < amount ? (['cancel'] as const) : []),
      'notify' as const,
    ],
  };
}

/** Accepted: the last attempt was answered with 200. */
export function notificationState({ attempts }: Notification, { console: t }: Locale): Item['state'] {
  const last = attempts.at(-1);
  if (!last) return { text: t.answered.waiting, tone: 'warn' };
  const word = isSuccess(last) ? t.answered.accepted : t.answered.refused;
  return { text: `${word} · ${answerText({ attempts })}`, tone: isSuccess(last) ? 'good' : 'bad' };
}

function viewNotification(notification: Notification, now: number, t: Locale): Item {
  const { id, event, created_at, next_attempt_ms, attempts, url, source } = notification;
  const { console: c } = t;
  const next = next_attempt_ms === null ? null : timeText(Math.ceil(next_attempt_ms / 1000), now, t);
  return {
    id: `n${id}`,
    title: `${c.notified} · ${c.events[event]}`,
    state: notificationState(notification, t),
    at: timeText(created_at, now, t),
    note: [`${source} → ${url}`, next && `${c.resentAt}: ${next.exact}`].filter(Boolean).join(' · '),
    parts: attempts.map((attempt, index) => ({
      title: `${c.attempt(index + 1)} · ${timeText(attempt.sent_at, now, t).exact} · ${attempt.took_ms} ms`,
      text: `${headerLines(attempt.request.headers)}\n\n${attempt.request.body}`,
      curl: curlOfAttempt(url, attempt),
      answer: attempt.answer
        ? `${attempt.answer.status} ${attempt.answer.body}`
        : `${c.noAnswer}: ${attempt.error ?? ''}`,
    })),
  };
}

function viewRequest(request: LoggedRequest, base: string, now: number, t: Locale): Item {
  const { console: c } = t;
  const { method, endpoint, path, svc_uid: svcUid, status, fault } = request;
  const isFine = status !== null && status < 400;
  const shown = svcUid === null ? path : endpoint.split(' ')[1]?.replace(/:svc_uid|:payment_id/, svcUid);
  return {
    id: `r${request.number}`,
    title: `${svcUid === null ? c.called : c.looked} · ${endpoint}`,
    state: { text: status === null ? c.cut : String(status), tone: isFine ? 'plain' : 'bad' },
    at: timeText(request.at, now, t),
    note: [fault && `${c.fault}: ${fault}`, request.bare_token && c.bareToken].filter(Boolean).join(' · '),
    parts: [
      {
        title: `${request.took_ms ?? '…'} ms`,
        text: `${method} ${shown}`,
        curl: curlOfRequest(method, `${base}${shown}`, endpoint),
        answer: null,
      },
    ],
  };
}

const headerLines = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

function curlOfAttempt(url: string, { request }: Attempt): string {
  const headers = Object.entries(request.headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  return ['curl -X POST', quoted(url), ...headers, '-d', quoted(request.body)].join(' ');
}

/** Credentials appear as shell variables; bodies and queries are not stored. */
function curlOfRequest(method: string, url: string, endpoint: string): string {
  const verb = method === 'GET' ? 'curl' : `curl -X ${method}`;
  if (!TOKENS.includes(endpoint)) return `${verb} ${quoted(url)} -H "Authorization: Bearer $ACCESS_TOKEN"`;
  const fields =
    endpoint === TOKENS[0]
      ? '-d "svc_key=$SERVICE_KEY" -d "svc_secret=$SERVICE_SECRET"'
      : '-d "api_key=$SERVICE_API_KEY"';
  return `${verb} ${quoted(url)} ${fields}`;
}
