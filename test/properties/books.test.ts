// The books after payments with several states, fetched in any order.

import fc from 'fast-check';
import type { OrderStatus } from '../../src/generated/prisma/client';
import { judgePayment, type Verdict } from '../../src/merchant/core/payments/judge-payment';
import type { PaymentRecord } from '../../src/merchant/payment-service/records/payment-record';
import { certain, paymentRecord, snapshot, write, type Books } from '../support/builders';
import { holds } from '../support/property';

type Moment = Pick<PaymentRecord, 'status' | 'cancelAmount'>;
const failed: Moment = { status: 'failed', cancelAmount: 0 };
const ready: Moment = { status: 'ready', cancelAmount: 0 };
const paid = (cancelAmount = 0): Moment => ({ status: 'paid', cancelAmount });
const cancelled = (cancelAmount: number): Moment => ({ status: 'cancelled', cancelAmount });

/** The states of a payment at the service. Each fetch shows one of them. */
const LIVES = [
  [failed],
  [ready, paid()],
  [ready, cancelled(0)],
  [paid()],
  [paid(), cancelled(300), cancelled(1000)],
  [ready, paid(), cancelled(1000)],
  [paid(), paid(300)],
];
const payments = fc.array(
  fc.record({ life: fc.constantFrom(...LIVES), owner: fc.constantFrom(null, 'member-1', 'member-2') }),
  { minLength: 1, maxLength: 3 },
);
/** Which payment is fetched next, and in which state; one that regresses is fetched again. */
const fetches = fc.array(fc.tuple(fc.nat(2), fc.nat(2)), { maxLength: 12 });
const shuffled = fc.array(fc.nat(), { minLength: 3, maxLength: 3 });
type Payments = { life: Moment[]; owner: string | null }[];

const member = fc.constantFrom(null, 'member-1');

test('after all notifications the books are the same, in any order and with any repetitions', () => {
  holds(
    fc.property(payments, fetches, shuffled, shuffled, member, (all, heard, one, other, memberId) => {
      // The second one gets only the last state of each.
      const books = syncInTurn(all, lastOf(all, other), { memberId });
      expect(syncInTurn(all, [...heard, ...lastOf(all, one)], { memberId })).toEqual(books);

      // For a closed order, as long as no payment regresses.
      const forward = heard.filter(([which, moment], i) =>
        heard.slice(0, i).every(([earlier, at]) => earlier !== which || at <= moment),
      );
      const closed = { memberId, status: 'closed' } as const;
      const closedBooks = syncInTurn(all, lastOf(all, other), closed);
      expect(syncInTurn(all, [...forward, ...lastOf(all, one)], closed)).toEqual(closedBooks);
    }),
  );
});

function judgeOne(books: Books, shown: PaymentRecord, keyOwner: string | null, confirmed: boolean): Verdict {
  const isStored = books.payments.some((payment) => payment.svcUid === shown.svcUid);
  return judgePayment({
    ...certain,
    reported: { svcUid: shown.svcUid, merchantUid: 'order-1' },
    snapshot: { ...snapshot(), ...books, storedUnder: isStored ? 'order-1' : null },
    record: shown,
    keyOwner,
    confirmed,
  });
}

/** Syncs each in turn; one that has regressed is fetched again, like `syncPayment` does. */
function syncInTurn(
  all: Payments,
  heard: (readonly [number, number])[],
  of: { memberId: string | null; status?: OrderStatus },
): Books {
  let books: Books = snapshot(of);
  for (const [which, moment] of heard) {
    const payment = all[which % all.length];
    if (!payment) throw new Error('there is a payment');
    const state = payment.life[moment] ?? payment.life.at(-1);
    const shown = paymentRecord({ svcUid: `svc_${which % all.length}`, ...state });
    const first = judgeOne(books, shown, payment.owner, false);
    const isDoubted = first.outcome === 'needs_confirmation';
    books = write(books, isDoubted ? judgeOne(books, shown, payment.owner, true) : first);
  }
  const { order: end, payments: rows } = books;
  return { order: end, payments: rows.toSorted((left, right) => left.svcUid.localeCompare(right.svcUid)) };
}

/** The last state of each payment, in the order of the numbers. */
function lastOf(all: Payments, order: number[]): [number, number][] {
  return all
    .map((_, i): [number, number] => [i, 9])
    .toSorted(([left], [right]) => (order[left] ?? 0) - (order[right] ?? 0));
}
