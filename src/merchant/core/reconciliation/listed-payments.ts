// The lists of the service as reconciliation reads them: payments by status (§4.5) and executed schedules (§4.8). Each is
// read in windows of time, and each window in pages that miss nothing while the list moves. The next page is requested while
// one is compared, over the end of a window as well.

import type { ReconciledList } from '../../../generated/prisma/client';
import type { PaymentState } from '../../payment-service/records/payment-record';
import type { ScheduleRecord } from '../../payment-service/schedules';
import type { Context } from '../../platform/context';
import { ServiceError } from '../../platform/errors';
import { firstWindow, shorterWindow, type Span } from './windows';

/** What a list says about a payment; null where it does not say. */
export type ListedPayment = Omit<PaymentState, 'cancelAmount'> & { cancelAmount: number | null };

export type ListedPage = {
  payments: readonly ListedPayment[];
  /** Records that cannot be read, by svc_uid where they have one. */
  unreadable: readonly (string | null)[];
  window: Window;
  /** How much of the window is read with this page, 0 to 1. With 1 no other page of it follows. */
  part: number;
};

type Window = Span & { pages: number };
type PaymentList = Exclude<ReconciledList, 'schedules'>;

/** The most that a page can hold (§8). */
const PAGE_SIZE = 1000;
/** The position is saved after at most this many entries: no more has to be read again after an interruption. */
const WINDOW_SIZE = 10 * PAGE_SIZE;

/**
 * Every page of a span, window by window. Each window ends with a page of which `part` is 1; it may be empty.
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
    // The second on which one window ends and the next begins is in both.
    from = window.to;
  }
}

/** The first part of a span that is read in one go, and how many pages it has. */
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
 * §4.5. A record that changes while a window is read moves to its end (sorted by `updated`, ascending) or out of it, and
 * those after it move up. If pages were read from the first to the last, one of those would slip from a page not yet
 * read onto one that was. The last page is therefore read first, and what moves up is met again. The record that changed
 * did so after this reconciliation began, and belongs to the next one.
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
    // A page that has moved past the end is empty (§4.5: 400).
    const { list, unreadable } = await context.service.getPaymentStates(status, query);
    yield { payments: list, unreadable, window, part: (pages - page + 1) / pages };
  }
}

/**
 * §4.8. The answer has no totals, so pages are read until one is short. An executed schedule stays executed: nothing
 * moves up, and what is added meanwhile makes others be met twice.
 */
async function* pagesOfSchedules(context: Context, window: Window): AsyncGenerator<ListedPage> {
  for (let page = 1; ; page += 1) {
    const schedules = await getExecutedSchedules(context, window, page);
    const isLast = schedules.length < PAGE_SIZE;
    // How many pages there are is not known before the last one.
    const part = isLast ? 1 : page / (page + 1);
    yield { payments: schedules.flatMap(fromSchedule), unreadable: [], window, part };
    if (isLast) return;
  }
}

/** Requests the next page while one is compared: the service and our database work side by side. */
async function* readAhead<Page>(pages: AsyncGenerator<Page>): AsyncGenerator<Page> {
  for (let ahead = pages.next(); ;) {
    const page = await ahead;
    if (page.done) return;
    ahead = pages.next();
    ahead.catch(() => undefined); // thrown where it is awaited, if it still is
    yield page.value;
  }
}

async function getExecutedSchedules(
  context: Context,
  { from, to }: Span,
  page: number,
): Promise<ScheduleRecord[]> {
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
    if (pastTheEnd) return [];
    throw error;
  }
}

/** Empty where the schedule does not name its payment. */
function fromSchedule(schedule: ScheduleRecord): ListedPayment[] {
  const { svcUid, merchantUid, paymentStatus, amount, currency } = schedule;
  if (svcUid === null || paymentStatus === null) return [];
  return [{ svcUid, merchantUid, status: paymentStatus, amount, cancelAmount: null, currency }];
}
