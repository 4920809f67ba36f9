// The lists of the service as the sweep reads them: payments by status (§4.5) and executed schedules (§4.8), each as
// windows of time, and each window as pages that miss nothing while the list moves.

import { ServiceFault } from '../errors';
import type { PaymentService } from '../payment-service/payment-service';
import type { PaymentStatusFilter } from '../payment-service/payments';
import type { PaymentRecord, ScheduleRecord } from '../payment-service/records';
import type { Claim } from '../payments/judge-payment';
import { firstWindow, shorterWindow, type Span } from './windows';

/** What a list says about a payment; null where it does not say. */
export type ListedPayment = Claim & {
  status: string;
  amount: number;
  cancelAmount: number | null;
  currency: string | null;
};

export type ListedPage = {
  payments: ListedPayment[];
  /** Records that cannot be read, by svc_uid where they have one. */
  unreadable: (string | null)[];
};

export type Window = Span & { pages: number };

export type ListSource = {
  /** The first part of a span that is read in one go, and how many pages it has. */
  firstWindow(span: Span): Promise<Window>;
  pages(window: Window): AsyncGenerator<ListedPage>;
};

/** The most that a page can hold (§8). */
const PAGE_SIZE = 1000;
/** After so many a sweep notes how far it came: what an interruption costs at most. */
const WINDOW_SIZE = 10 * PAGE_SIZE;

type Lists = Pick<PaymentService, 'getPaymentsByStatus' | 'getSchedules'>;

/**
 * §4.5. A record that changes while a window is read moves to its end (sorted by `updated`, ascending) or out of it, and
 * those after it move up. Read from the first page to the last, one of them would slip from a page not yet read into one
 * that was; so the last page is read first, and what moves up is met again. The one that changed did so after the sweep
 * began, and is the next sweep's.
 */
export function paymentsByStatus(service: Lists, status: PaymentStatusFilter): ListSource {
  return {
    async firstWindow(span) {
      for (let window = firstWindow(span); ;) {
        const { total } = await service.getPaymentsByStatus(status, { ...window, page: 1, limit: 1 });
        const shorter = total > WINDOW_SIZE ? shorterWindow(window, WINDOW_SIZE / total) : null;
        if (!shorter) return { ...window, pages: Math.ceil(total / PAGE_SIZE) };
        window = shorter;
      }
    },
    async *pages({ from, to, pages }) {
      for (let page = pages; page >= 1; page -= 1) {
        const query = { from, to, page, limit: PAGE_SIZE, sorting: 'updated' } as const;
        // A page that has moved past the end is empty (§4.5: 400).
        const { list, unreadable } = await service.getPaymentsByStatus(status, query);
        yield { payments: list.map(fromPayment), unreadable };
      }
    },
  };
}

/**
 * §4.8. The answer has no totals, so the pages are read until one is short. An executed schedule stays one: nothing
 * moves up, and what comes in between is met twice.
 */
export function executedSchedules(service: Lists): ListSource {
  return {
    firstWindow: (span) => Promise.resolve({ ...firstWindow(span), pages: 1 }),
    async *pages({ from, to }) {
      for (let page = 1; ; page += 1) {
        const schedules = await schedulesOn(service, { from, to }, page);
        yield { payments: schedules.flatMap(fromSchedule), unreadable: [] };
        if (schedules.length < PAGE_SIZE) return;
      }
    },
  };
}

async function schedulesOn(service: Lists, { from, to }: Span, page: number): Promise<ScheduleRecord[]> {
  try {
    return await service.getSchedules({
      scheduleFrom: from,
      scheduleTo: to,
      scheduleStatus: 'executed',
      page,
      limit: PAGE_SIZE,
      sorting: 'scheduled',
    });
  } catch (error) {
    // What §4.5 says of a page past the end, §4.8 may mean by "invalid search parameters".
    const pastTheEnd = error instanceof ServiceFault && error.facts.status === 400 && page > 1;
    if (pastTheEnd) return [];
    throw error;
  }
}

function fromPayment(record: PaymentRecord): ListedPayment {
  const { svcUid, merchantUid, status, amount, cancelAmount, currency } = record;
  return { svcUid, merchantUid, status, amount, cancelAmount, currency };
}

function fromSchedule({
  svcUid,
  merchantUid,
  paymentStatus,
  amount,
  currency,
}: ScheduleRecord): ListedPayment[] {
  if (svcUid === null || paymentStatus === null) return [];
  return [{ svcUid, merchantUid, status: paymentStatus, amount, cancelAmount: null, currency }];
}
