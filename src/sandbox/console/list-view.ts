// The lists of payments, keys, schedules, notifications and requests, each with a search and pages.

import type { Request } from 'express';
import type { BillingKey } from '../billing-keys/billing-key';
import { companyIn } from '../billing-keys/card';
import type { ControlContext } from '../controls/control-context';
import type { Locale } from '../locales/ko';
import { methodName } from '../window/window-view';
import { answerText } from './press';
import { pathOf } from './request-view';
import { notificationState, viewPayment } from './stream-view';
import { amountText, stateOf, timeText, type TimeText, type Tone } from './texts';

export const LISTS = ['payments', 'keys', 'schedules', 'notifications', 'requests'] as const;
export type ListName = (typeof LISTS)[number];

type Column = keyof Locale['console']['lists']['columns'];
export type Cell =
  | { kind: 'text' | 'code' | 'amount'; text: string }
  | { kind: 'link'; text: string; href: string }
  | { kind: 'time'; time: TimeText }
  | { kind: 'state'; text: string; tone: Tone };
/** Cells are computed only for the rows that are shown. */
type Row = { searched: string; cells: () => Cell[] };
type List = { columns: Column[]; rows: Row[]; total: number };

const PAGE = 50;
/** A search by part of an id covers only this many payments, the latest ones. */
const MAX_SEARCHED = 5_000;

const text = (value: string): Cell => ({ kind: 'text', text: value });
const code = (value: string | null): Cell => ({ kind: 'code', text: value ?? '' });
const link = (value: string | null, path: string, { lang }: Locale): Cell =>
  value === null || value === ''
    ? code(value)
    : { kind: 'link', text: value, href: `${path}${path.includes('?') ? '&' : '?'}lang=${lang}` };
/** The stream of one payment, or of an order's. */
const inStream = (value: string | null, t: Locale): Cell =>
  link(value, `/console?q=${encodeURIComponent(value ?? '')}`, t);

/** The card, or the wallet that holds the key. */
function methodOf({ card, payMethod = '' }: Pick<BillingKey, 'card' | 'payMethod'>, t: Locale): string {
  return card ? `${companyIn(card, t.lang)} ${card.number}` : methodName(payMethod, t.window);
}

export function viewList(context: ControlContext, name: ListName, request: Request, t: Locale) {
  const asked = request.query['q'];
  const q = typeof asked === 'string' ? asked.trim().slice(0, 100) : '';
  const page = Math.max(1, Math.min(100_000, Math.trunc(Number(request.query['page'] ?? 1)) || 1));
  const { columns, rows, total } = READERS[name](context, t, { q, page });
  const isWhole = name === 'payments' && q === '';
  const found = isWhole ? rows : rows.filter(({ searched }) => searched.includes(q));
  const count = isWhole ? total : found.length;
  const shown = isWhole ? found : found.slice((page - 1) * PAGE, page * PAGE);
  const hrefOf = (other: number) => {
    const query = new URLSearchParams({ lang: t.lang, ...(q && { q }), page: String(other) });
    return `/console/${name}?${query.toString()}`;
  };
  return {
    name,
    q,
    columns,
    rows: shown.map(({ cells }) => cells()),
    total: count,
    previous: page > 1 ? hrefOf(page - 1) : null,
    next: page * PAGE < count ? hrefOf(page + 1) : null,
  };
}

type Reader = (context: ControlContext, t: Locale, query: { q: string; page: number }) => List;

const READERS: Record<ListName, Reader> = {
  payments({ service }, t, { q, page }) {
    const now = service.clock.now();
    const query = {
      filter: 'all',
      sort: 'updated',
      newestFirst: true,
      from: 0,
      to: Infinity,
      includeSandbox: true,
    } as const;
    const [skip, limit] = q === '' ? [(page - 1) * PAGE, PAGE] : [0, MAX_SEARCHED];
    const { payments, total } = service.payments.byStatus(query, skip, limit);
    const rows = payments.map((payment) => {
      const { svcUid, merchantUid, customerUid, state, amount, partly, at } = viewPayment(payment, now, t);
      return {
        searched: `${svcUid} ${merchantUid} ${customerUid ?? ''}`,
        cells: (): Cell[] => [
          { kind: 'time', time: at },
          inStream(svcUid, t),
          code(merchantUid),
          code(customerUid),
          { kind: 'state', ...state, text: [state.text, partly].filter(Boolean).join(', ') },
          { kind: 'amount', text: amount },
        ],
      };
    });
    return { columns: ['time', 'svc_uid', 'merchant_uid', 'customer_uid', 'status', 'amount'], rows, total };
  },

  keys({ service }, t) {
    const now = service.clock.now();
    const rows = service.billingKeys.list().map(({ customerUid, pgProvider, pgId, updated, ...key }) => ({
      searched: `${customerUid} ${methodOf(key, t)} ${pgProvider}.${pgId}`,
      cells: (): Cell[] => [
        { kind: 'time', time: timeText(updated, now, t) },
        link(customerUid, `/console/payments?q=${encodeURIComponent(customerUid)}`, t),
        text(methodOf(key, t)),
        code(`${pgProvider}.${pgId}`),
      ],
    }));
    return { columns: ['issued', 'customer_uid', 'card', 'pg'], rows, total: rows.length };
  },

  schedules({ service }, t) {
    const now = service.clock.now();
    const rows = service.schedules.find({ from: 0, to: Infinity }).map((schedule) => ({
      searched: `${schedule.merchantUid} ${schedule.customerUid} ${schedule.svcUid ?? ''}`,
      cells: (): Cell[] => [
        { kind: 'time', time: timeText(schedule.scheduleAt, now, t) },
        code(schedule.merchantUid),
        code(schedule.customerUid),
        { kind: 'state', ...stateOf(schedule.status, t) },
        inStream(schedule.svcUid, t),
        { kind: 'amount', text: amountText(schedule.amount, schedule.currency, t) },
      ],
    }));
    rows.reverse();
    return {
      columns: ['due', 'merchant_uid', 'customer_uid', 'status', 'svc_uid', 'amount'],
      rows,
      total: rows.length,
    };
  },

  notifications({ service }, t) {
    const now = service.clock.now();
    const rows = service.notifier
      .list()
      .map((one) => ({
        searched: `${one.svc_uid ?? ''} ${one.url} ${answerText(one)} ${JSON.stringify(one.body)}`,
        cells: (): Cell[] => [
          { kind: 'time', time: timeText(one.created_at, now, t) },
          link(t.console.events[one.event], `/console/notifications/${one.id}`, t),
          inStream(one.svc_uid, t),
          code(one.url),
          text(String(one.attempts.length)),
          { kind: 'state', ...notificationState(one, t) },
        ],
      }))
      .reverse();
    return { columns: ['time', 'event', 'svc_uid', 'to', 'attempts', 'answer'], rows, total: rows.length };
  },

  requests({ service, requestLog }, t) {
    const now = service.clock.now();
    const rows = requestLog
      .list()
      .map((one) => ({
        searched: `${one.endpoint} ${one.path} ${one.svc_uid ?? ''} ${one.status ?? ''}`,
        cells: (): Cell[] => [
          { kind: 'time', time: timeText(one.at, now, t) },
          link(one.endpoint, `/console/requests/${one.number}`, t),
          code(pathOf(one)),
          {
            kind: 'state',
            text: String(one.status ?? t.console.cut),
            tone: (one.status ?? 500) < 400 ? 'plain' : 'bad',
          },
          { kind: 'amount', text: `${one.took_ms ?? '…'} ms` },
          text(
            [one.fault && `${t.console.fault}: ${one.fault}`, one.bare_token && t.console.bareToken]
              .filter(Boolean)
              .join(', '),
          ),
        ],
      }))
      .reverse();
    return { columns: ['time', 'endpoint', 'path', 'status', 'took', 'remark'], rows, total: rows.length };
  },
};
