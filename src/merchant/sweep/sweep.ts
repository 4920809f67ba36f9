// The sweep: finds the payments whose notification never came, and lets `syncPayment` bring them into the books. No
// receiver can be complete by receiving: the legacy service sends once (§6.5), to wherever the buyer's browser says
// (§6.3), and not at all for most failures and for cancellations through the API (§6.1).
//
// Why nothing is missed:
// - `from` and `to` of §4.5 search on a clock that depends on the status (ready: started, paid: paid, cancelled:
//   cancelled, failed: failed), and for `all` on one that nobody knows. So each status is asked by itself: whatever
//   becomes `paid` gets its time of payment then, and lies in the stretch that the next sweep of `paid` asks for. A
//   change while we read is one after our beginning: it is the next sweep's, under the status it has then.
// - Sorting is another matter: by `updated`, which every change moves to the end of its list. What that means for the
//   order in which pages are read stands in listed-payments.ts.
// - Two things move no clock of their own status: an account that was issued long after its payment started, and
//   perhaps a second partial cancellation (the document does not say which one `cancelled_at` tells of). And a list may
//   show a record late. Hence the overlap of an hour, and once a day a look back over 90 days, the longest period.
// - All times are the service's: `now` of a token answer (§2.1), asked at the beginning.
// - The position moves on when a window has been gone through, and only then. A sweep may be stopped or killed anywhere:
//   the next one goes through that window again, and finds in step what was repaired.

import type { Clock } from '../clock';
import { ServiceFault } from '../errors';
import type { PaymentService } from '../payment-service/payment-service';
import { executedSchedules, paymentsByStatus, type ListSource } from './listed-payments';
import type { RepairPayments, Tally } from './repair-payments';
import type { TakeSweepTurn } from './sweep-lock-store';
import { emptyReport, SWEPT_LISTS, type SweepReport, type SweptList } from './sweep-report';
import type { SweepStore } from './sweep-store';
import { historyBegin, spanFrom, startingPosition, wholeSecond, type Position, type Span } from './windows';

export type SweepRequest = {
  /** Compares this stretch and leaves the position alone; without it the sweep goes on where the last one ended. */
  span?: { from: Date; to: Date | null } | undefined;
  /** Goes back over 90 days, or goes on with doing so. */
  lookBack?: boolean | undefined;
  /** Compares, and neither asks for a payment nor writes anything. */
  dryRun?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** After each page: which list, and how much of it is done, 0 to 1. */
  onProgress?: ((progress: { list: SweptList; done: number; report: SweepReport }) => void) | undefined;
};

/**
 * Null when another sweep is under way. A list that could not be read to its end says so in the report; the others are
 * gone through all the same.
 * @throws ServiceFault when the service does not even tell the time; DatabaseFault
 */
export type Sweep = (request?: SweepRequest) => Promise<SweepReport | null>;

type Dependencies = {
  takeTurn: TakeSweepTurn;
  store: Pick<SweepStore, 'findPosition' | 'savePosition' | 'findFirstOrderTime'>;
  service: Pick<PaymentService, 'getServerTime' | 'getPaymentsByStatus' | 'getSchedules'>;
  repair: RepairPayments;
  clock: Clock;
};

export function createSweep({ takeTurn, store, service, repair, clock }: Dependencies): Sweep {
  const sources: Record<SweptList, ListSource> = {
    ready: paymentsByStatus(service, 'ready'),
    paid: paymentsByStatus(service, 'paid'),
    cancelled: paymentsByStatus(service, 'cancelled'),
    failed: paymentsByStatus(service, 'failed'),
    schedules: executedSchedules(service),
  };

  return async (request = {}) => {
    const turn = await takeTurn();
    if (!turn) return null;
    try {
      const signal = AbortSignal.any([turn.lost, ...(request.signal ? [request.signal] : [])]);
      return await sweepAll(request, signal);
    } finally {
      await turn.end();
    }
  };

  async function sweepAll(request: SweepRequest, signal: AbortSignal): Promise<SweepReport> {
    const now = wholeSecond(+(await service.getServerTime()));
    const historyBeginsAt = historyBegin(await store.findFirstOrderTime(), clock.now(), now);
    const report = emptyReport(now);
    const tally = { report, dryRun: request.dryRun ?? false, signal };
    if (!tally.dryRun) {
      const list = report.earlier;
      const answered = await repair.repairEarlier({ ...tally, list, name: 'earlier' });
      if (!answered) list.stoppedBy = 'no_answer';
    }
    for (const list of SWEPT_LISTS) {
      // A service that asks for a pause (429) gets one, from all lists.
      if (Object.values(report.lists).some(({ stoppedBy }) => stoppedBy === 'rate_limited')) {
        report.lists[list].stoppedBy = 'rate_limited';
        continue;
      }
      const position = startingPosition({
        position: await store.findPosition(list),
        now,
        historyBeginsAt,
        lookBack: request.lookBack ?? false,
      });
      const keeps = request.span === undefined && !tally.dryRun;
      if (keeps) await store.savePosition(list, position);
      const span = request.span
        ? { from: request.span.from, to: request.span.to ?? now }
        : spanFrom(position, now);
      await sweepList(
        list,
        span,
        keeps ? position : null,
        { ...tally, list: report.lists[list], name: list },
        request,
      );
    }
    return report;
  }

  /** @param position moves on with every window; null where it is not to be kept */
  async function sweepList(
    list: SweptList,
    span: Span,
    position: Position | null,
    tally: Tally,
    { onProgress = () => undefined }: SweepRequest,
  ): Promise<void> {
    try {
      for (let from = span.from; from < span.to;) {
        if (tally.signal.aborted) return void (tally.list.stoppedBy = 'interrupted');
        const window = await sources[list].firstWindow({ from, to: span.to });
        let page = 0;
        for await (const listed of readAhead(sources[list].pages(window))) {
          const answered = await repair.repairPage(listed, tally);
          if (tally.signal.aborted) return void (tally.list.stoppedBy = 'interrupted');
          if (!answered) return void (tally.list.stoppedBy = 'no_answer');
          page += 1;
          const reached = +from + ((+window.to - +from) * page) / Math.max(window.pages, page);
          onProgress({
            list,
            done: (reached - +span.from) / (+span.to - +span.from),
            report: tally.report,
          });
        }
        if (position) await store.savePosition(list, { ...position, sweptTo: window.to });
        // The second on which one window ends and the next begins is in both.
        from = window.to;
      }
    } catch (error) {
      if (!(error instanceof ServiceFault)) throw error;
      tally.list.stoppedBy = error.facts.kind;
    }
  }
}

/** The next page is on its way while one is compared: the service and our database work side by side. */
async function* readAhead<Page>(pages: AsyncGenerator<Page>): AsyncGenerator<Page> {
  for (let ahead = pages.next(); ;) {
    const page = await ahead;
    if (page.done) return;
    ahead = pages.next();
    ahead.catch(() => undefined); // thrown where it is waited for, if anybody still does
    yield page.value;
  }
}
