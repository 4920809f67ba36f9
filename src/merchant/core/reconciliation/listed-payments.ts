// Reads the service's lists for reconciliation: payments by status (§4.5) and executed schedules (§4.8). Each is read in
// pages, so that nothing is missed while the list changes.

import type { Listed } from '../../payment-service/records/page';
import type { PaymentState } from '../../payment-service/records/payment-record';
import { ServiceError } from '../../payment-service/records/service-error';
import type { ShownRecord } from '../../payment-service/records/shown-record';
import type { ScheduleRecord } from '../../payment-service/schedules';
import type { Context } from '../../platform/context';
import type { ReconciledList } from './reconciliation-report';
import type { Span } from './windows';

/** What a list says about a payment; null if it does not say. */
export type ListedPayment = Omit<PaymentState, 'cancelAmount'> & { cancelAmount: number | null };

export type ListedPage = {
  payments: readonly ListedPayment[];
  /** Records that cannot be read. */
  unreadable: readonly ShownRecord[];
};

/** The maximum size of a page (§8). */
const PAGE_SIZE = 1000;

/**
 * Every page of one list in one window of time.
 * @throws ServiceError
 */
export function readPages(context: Context, list: ReconciledList, window: Span): AsyncGenerator<ListedPage> {
  return list === 'schedules' ? pagesOfSchedules(context, window) : pagesOfPayments(context, list, window);
}

/**
 * §4.5. The list is sorted by `updated`, ascending. A record that changes while a window is read moves to the end or
 * leaves the list, and the records after it move up, possibly from an unread page to a page that was already read. So
 * pages are read from the last to the first, and records that move up are read twice. The changed record belongs to the
 * next reconciliation, because it changed after this one began.
 */
async function* pagesOfPayments(
  context: Context,
  status: Exclude<ReconciledList, 'schedules'>,
  { from, to }: Span,
): AsyncGenerator<ListedPage> {
  const { total } = await context.service.getPaymentStates(status, { from, to, page: 1, limit: 1 });
  for (let page = Math.ceil(total / PAGE_SIZE); page >= 1; page -= 1) {
    const query = { from, to, page, limit: PAGE_SIZE, sorting: 'updated' } as const;
    // A page that is now past the end is empty (§4.5: 400).
    const { list, unreadable } = await context.service.getPaymentStates(status, query);
    yield { payments: list, unreadable };
  }
}

/**
 * §4.8. The answer has no totals, so pages are read until one is short. An executed schedule stays executed, so no
 * record moves up. Records added meanwhile only cause others to be read twice.
 */
async function* pagesOfSchedules(context: Context, window: Span): AsyncGenerator<ListedPage> {
  for (let page = 1; ; page += 1) {
    const { list, unreadable } = await getExecutedSchedules(context, window, page);
    yield { payments: list.flatMap(fromSchedule), unreadable };
    if (list.length + unreadable.length < PAGE_SIZE) return;
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
