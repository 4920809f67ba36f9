// Reads the service's lists for reconciliation: payments by status (§4.5) and executed schedules (§4.8). Each is read
// in time windows, and each window in pages, so that nothing is missed while the list changes. The next page is
// requested while one is compared, also across windows.

import type { ReconciledList } from '../../../generated/prisma/client';
import type { Listed } from '../../payment-service/records/page';
import type { PaymentState } from '../../payment-service/records/payment-record';
import type { ShownRecord } from '../../payment-service/records/shown-record';
import type { ScheduleRecord } from '../../payment-service/schedules';
import type { Context } from '../../platform/context';
import { ServiceError } from '../../platform/errors';
import { firstWindow, shorterWindow, type Span } from './windows';

/** What a list says about a payment; null if it does not say. */
export type ListedPayment = Omit<PaymentState, 'cancelAmount'> & { cancelAmount: number | null };

export type ListedPage = {
  payments: readonly ListedPayment[];
  /** Records that cannot be read. */
  unreadable: readonly ShownRecord[];
  window: Window;
  /** How much of the window has been read with this page, 0 to 1. 1 is the last page of the window. */
  part: number;
};

type Window = Span & { pages: number };
type PaymentList = Exclude<ReconciledList, 'schedules'>;

/** The maximum size of a page (§8). */
const PAGE_SIZE = 1000;
/** The position is saved after at most this many entries, which limits what is read again after an interruption. */
const WINDOW_SIZE = 10 * PAGE_SIZE;

/**
 * Every page of a span, window by window. Each window ends with a page with `part` 1, which may be empty.
 * @throws ServiceError
 */
export function readPages(context: Context, list: ReconciledList, span: Span): AsyncGenerator<ListedPage> {
  return readAhead(pagesOfSpan(context, list, span));
}

async function* pagesOfSpan(context: Context, list: ReconciledList, span: Span): AsyncGenerator<ListedPage> {
  for (let from = span.from; from < span.to;) {
    const rest = { from, to: span.to };
    const window =
      list === 'schedules' ? { ...firstWindow(rest), pages: 1 } : await findFirstWindow(context, list, rest);
    yield* list === 'schedules' ? pagesOfSchedules(context, window) : pagesOfPayments(context, list, window);
    // The second between two windows belongs to both.
    from = window.to;
  }
}

/** The first part of a span that is read as one window, and its number of pages. */
async function findFirstWindow(context: Context, list: PaymentList, span: Span): Promise<Window> {
  for (let window = firstWindow(span); ;) {
    const query = { ...window, page: 1, limit: 1 };
    const { total } = await context.service.getPaymentStates(list, query);
    const shorter = total > WINDOW_SIZE ? shorterWindow(window, WINDOW_SIZE / total) : null;
    if (!shorter) return { ...window, pages: Math.ceil(total / PAGE_SIZE) };
    window = shorter;
  }
}

/**
 * §4.5. The list is sorted by `updated`, ascending. A record that changes while a window is read moves to the end or
 * leaves the list, and the records after it move up, possibly from an unread page to a page that was already read. So
 * pages are read from the last to the first, and records that move up are read twice. The changed record belongs to the
 * next reconciliation, because it changed after this one began.
 */
async function* pagesOfPayments(
  context: Context,
  status: PaymentList,
  window: Window,
): AsyncGenerator<ListedPage> {
  const { from, to, pages } = window;
  if (pages === 0) yield { payments: [], unreadable: [], window, part: 1 };
  for (let page = pages; page >= 1; page -= 1) {
    const query = { from, to, page, limit: PAGE_SIZE, sorting: 'updated' } as const;
    // A page that is now past the end is empty (§4.5: 400).
    const { list, unreadable } = await context.service.getPaymentStates(status, query);
    yield { payments: list, unreadable, window, part: (pages - page + 1) / pages };
  }
}

/**
 * §4.8. The answer has no totals, so pages are read until one is short. An executed schedule stays executed, so no
 * record moves up. Records added meanwhile only cause others to be read twice.
 */
async function* pagesOfSchedules(context: Context, window: Window): AsyncGenerator<ListedPage> {
  for (let page = 1; ; page += 1) {
    const { list, unreadable } = await getExecutedSchedules(context, window, page);
    const isLast = list.length + unreadable.length < PAGE_SIZE;
    // The number of pages is unknown before the last one.
    const part = isLast ? 1 : page / (page + 1);
    yield { payments: list.flatMap(fromSchedule), unreadable, window, part };
    if (isLast) return;
  }
}

/** Requests the next page while one is compared, so that the service and our database work in parallel. */
async function* readAhead<Page>(pages: AsyncGenerator<Page>): AsyncGenerator<Page> {
  for (let ahead = pages.next(); ;) {
    const page = await ahead;
    if (page.done) return;
    ahead = pages.next();
    ahead.catch(() => undefined); // the error is thrown when the page is awaited, if it is
    yield page.value;
  }
}

async function getExecutedSchedules(
  context: Context,
  { from, to }: Span,
  page: number,
): Promise<Listed<ScheduleRecord>> {
  try {
    return await context.service.getSchedules({
      scheduleFrom: from,
      scheduleTo: to,
      scheduleStatus: 'executed',
      page,
      limit: PAGE_SIZE,
      sorting: 'scheduled',
    });
  } catch (error) {
    // §4.5 answers 400 to a page past the end; "invalid search parameters" in §4.8 may mean the same.
    const pastTheEnd = error instanceof ServiceError && error.facts.status === 400 && page > 1;
    if (pastTheEnd) return { list: [], unreadable: [] };
    throw error;
  }
}

/** Empty if the schedule does not name its payment. */
function fromSchedule(schedule: ScheduleRecord): ListedPayment[] {
  const { svcUid, merchantUid, paymentStatus, amount, currency } = schedule;
  if (svcUid === null || paymentStatus === null) return [];
  return [{ svcUid, merchantUid, status: paymentStatus, amount, cancelAmount: null, currency }];
}
