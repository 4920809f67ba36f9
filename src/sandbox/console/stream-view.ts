// The activity stream: payments, latest change first, each with its notifications (every attempt with the merchant's answer)
// and the merchant's calls about it. Calls that concern no payment follow; repeated ones (tokens, lists) are only counted.

import type { Request } from 'express';
import type { ControlContext } from '../controls/control-context';
import type { LoggedRequest, RequestLog } from '../http/request-log';
import type { Locale } from '../locales/ko';
import type { Attempt, Notification } from '../notifications/notification';
import { isSuccess } from '../notifications/resend-delay';
import { cancelledAmount, type Payment } from '../payments/payment';
import { quoted } from '../stories/scene';
import { refusalIn } from '../window/service-words';
import { answerText } from './press';
import { isSameRead, isTokenCall, viewRequests } from './request-view';
import { placesOf } from './scene-of';
import { amountText, stateOf, timeText, type Item } from './texts';

const MAX_GROUPS = 12;
const MAX_ITEMS = 25;
const MAX_SEARCHED = 2_000;
const LISTS = /^GET \/(payments\/status|subscribe\/payments\/schedule|subscribe\/customers)/;

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
    fold(happened)
      .slice(-MAX_ITEMS)
      .flatMap((one) =>
        Array.isArray(one)
          ? (viewRequests(one, { requestLog, base, now }, t) ?? [])
          : viewNotification(one, now, t),
      );
  const byPayment = new Map<string | null, Happened[]>();
  for (const one of [...notifications, ...requests])
    for (const svcUid of 'id' in one ? [one.svc_uid] : paymentsOf(context, one)) {
      const kept = byPayment.get(svcUid);
      if (kept) kept.push(one);
      else byPayment.set(svcUid, [one]);
    }
  const happenedTo = (svcUid: string | null): Happened[] => inOrder(requestLog, byPayment.get(svcUid) ?? []);

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
  const isToken = (one: Happened) => 'endpoint' in one && isTokenCall(one);
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

/** A notification stands before the first call that arrived after it; their times are whole seconds. */
function inOrder(requestLog: RequestLog, happened: readonly Happened[]): Happened[] {
  const notifications = happened.filter((one) => 'id' in one).sort((one, other) => one.id - other.id);
  const requests = happened
    .filter((one) => 'endpoint' in one)
    .sort((one, other) => one.number - other.number);
  const ordered: Happened[] = [];
  for (const request of requests) {
    const last = requestLog.detailsOf(request.number)?.lastNotification;
    const isBefore = ({ id, created_at: at }: Notification) =>
      last === undefined ? at < request.at : id <= last;
    while (notifications[0] && isBefore(notifications[0])) ordered.push(...notifications.splice(0, 1));
    ordered.push(request);
  }
  return [...ordered, ...notifications];
}

/**
 * The payments that a call was about: the one that it names or has made, else those of the orders that it names. The others
 * stand under no payment.
 */
function paymentsOf({ service, requestLog }: ControlContext, request: LoggedRequest): (string | null)[] {
  const details = requestLog.detailsOf(request.number);
  const svcUid = request.svc_uid ?? details?.svcUid ?? null;
  if (svcUid !== null) return [svcUid];
  const ofOrders = (details?.merchantUids ?? []).flatMap((order) => service.payments.ofOrder(order));
  const found = [...new Set(ofOrders.map((payment) => payment.svcUid))];
  return found.length > 0 ? found : [null];
}

/** Equal reads with nothing else between them become one entry, at the place of the last one. */
function fold(happened: readonly Happened[]): (Notification | LoggedRequest[])[] {
  const folded: (Notification | LoggedRequest[])[] = [];
  let reads: LoggedRequest[][] = [];
  for (const one of happened) {
    if ('id' in one || one.method !== 'GET') {
      folded.push(...reads, 'id' in one ? one : [one]);
      reads = [];
      continue;
    }
    const equal = reads.find(([first]) => first !== undefined && isSameRead(first, one));
    if (equal) equal.push(one);
    else reads.push([one]);
  }
  return [...folded, ...reads];
}

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
    failReason: refusalIn(payment.failReason, t.lang),
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

const headerLines = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

function curlOfAttempt(url: string, { request }: Attempt): string {
  const headers = Object.entries(request.headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  return ['curl -X POST', quoted(url), ...headers, '-d', quoted(request.body)].join(' ');
}

/** One entry of the list of requests; null if it is gone. */
export function viewLoggedRequest(
  { service, requestLog }: ControlContext,
  request: Request,
  t: Locale,
): Item | null {
  const found = requestLog.list().find(({ number }) => String(number) === request.params['number']);
  const base = placesOf(request, service).sandboxUrl;
  return found ? viewRequests([found], { requestLog, base, now: service.clock.now() }, t) : null;
}

/** One entry of the list of notifications; null if it is gone. */
export function viewSentNotification({ service }: ControlContext, request: Request, t: Locale): Item | null {
  const found = service.notifier.list().find(({ id }) => String(id) === request.params['id']);
  return found ? viewNotification(found, service.clock.now(), t) : null;
}
