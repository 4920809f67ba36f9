// The judgement over whatever the service may say, in whatever order it is heard.

import fc from 'fast-check';
import type { OrderStatus } from '../../src/generated/prisma/client';
import type { PaymentRecord } from '../../src/merchant/payment-service/records/payment-record';
import { judgePayment, type Evidence, type Verdict } from '../../src/merchant/payments/judge-payment';
import { heldAmount, orderStatus } from '../../src/merchant/payments/order-status';
import type { Snapshot } from '../../src/merchant/payments/snapshot-store';
import { paymentRecord, snapshot } from '../support/builders';
import { holds } from '../support/property';

type Books = Pick<Snapshot, 'order' | 'payments'>;

/** Most values fit, so that most evidence differs from a good payment in one or two places only. */
const mostly = <T>(good: T, others: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(good) }, { weight: 1, arbitrary: others });
const amount = fc.constantFrom(0, 1, 300, 999, 1000, 1001);
const svcUid = fc.constantFrom('svc_1', 'svc_2', 'svc_3');
const knownStatus = fc.constantFrom(
  'ready' as const,
  'paid' as const,
  'cancelled' as const,
  'failed' as const,
);
const orderNow = fc.constantFrom<OrderStatus>(
  ...(['open', 'awaiting_deposit', 'paid', 'partially_cancelled', 'cancelled', 'failed', 'closed'] as const),
);
const cancelEntry = fc.record({
  pgTid: fc.constant(null),
  amount: fc.option(amount),
  cancelledAt: fc.constant(null),
  reason: fc.constant(null),
  receiptUrl: fc.constant(null),
});
const record = fc
  .record({
    svcUid: mostly<'svc_1' | 'svc_2' | 'svc_3'>('svc_1', svcUid),
    merchantUid: mostly('order-1', fc.constant('order-2')),
    status: fc.oneof(knownStatus, mostly('paid' as const, fc.constant('unknown' as const))),
    amount: mostly<number>(1000, amount),
    cancelAmount: fc.oneof(fc.constant(0), amount),
    currency: mostly<string | null>('KRW', fc.constantFrom('USD', null)),
    cancelHistory: mostly([], fc.array(cancelEntry, { maxLength: 2 })),
    isTest: mostly(false, fc.constant(true)),
    otherSvcUids: fc.subarray(['svc_2', 'svc_3']),
  })
  .map(paymentRecord);
const storedPayment = fc.record({
  svcUid,
  status: knownStatus,
  amount: fc.constant(1000),
  cancelAmount: fc.constantFrom(0, 300, 1000),
  counted: fc.boolean(),
  record: fc.constantFrom(paymentRecord().raw, {}),
  wentBackAt: fc.constantFrom(null, '2026-11-21T00:00:00.000Z'),
});
const order = fc.record({
  amount: mostly(1000, fc.constant(999)),
  currency: mostly('KRW', fc.constant('USD')),
  memberId: fc.constantFrom(null, 'member-1'),
  status: orderNow,
});
const anySnapshot = fc
  .tuple(
    fc.option(order, { freq: 9 }),
    fc.uniqueArray(storedPayment, { selector: (each) => each.svcUid }),
    mostly<string | null>(null, fc.constantFrom('order-1', 'order-9')),
  )
  .map(([of, payments, storedUnder]): Snapshot => {
    const whole = snapshot(of ?? {}, { payments, storedUnder });
    return of === null ? { ...whole, order: null, payments: [] } : whole;
  });
const evidence: fc.Arbitrary<Evidence> = fc.record({
  claim: fc.record({ svcUid: mostly<string>('svc_1', svcUid), merchantUid: fc.constant('order-1') }),
  snapshot: anySnapshot,
  record: fc.option(record, { freq: 9 }),
  showsPayer: fc.boolean(),
  keyOwner: fc.constantFrom(null, 'member-1', 'member-2'),
  confirmed: fc.boolean(),
  acceptsTestPayments: fc.boolean(),
});
const holdsMoney = (status: OrderStatus) => status === 'paid' || status === 'partially_cancelled';

test('nothing is recorded but a payment of this order, of its exact amount and currency', () => {
  holds(
    fc.property(evidence, (each) => {
      const verdict = judgePayment(each);
      if (verdict.outcome !== 'recorded' && verdict.outcome !== 'unchanged') return;
      const { order: of, storedUnder } = each.snapshot;
      const {
        amount: paid,
        currency,
        merchantUid,
        svcUid: uid,
        otherSvcUids,
      } = each.record ?? paymentRecord();
      expect({ paid, currency, merchantUid }).toEqual({
        paid: of?.amount,
        currency: of?.currency,
        merchantUid: 'order-1',
      });
      expect([uid, ...otherSvcUids]).toContain(each.claim.svcUid);
      expect([null, 'order-1']).toContain(storedUnder);
      if (verdict.outcome === 'recorded') expect(verdict.payment.record).toBe(each.record);
    }),
    3,
  );
});

test('an order gets to hold money only by a payment that shows it, counts, and moves real money', () => {
  holds(
    fc.property(evidence, (each) => {
      const verdict = judgePayment(each);
      if (verdict.outcome !== 'recorded' || !holdsMoney(verdict.orderStatus)) return;
      const uid = each.record?.svcUid;
      const before = each.snapshot.payments.filter((other) => other.svcUid !== uid);
      if (before.some((other) => other.counted && heldAmount(other) > 0)) return;
      expect(['paid', 'cancelled']).toContain(verdict.payment.status);
      expect(verdict.payment.counted).toBe(true);
      expect(each.record?.cancelAmount).toBeLessThan(1000);
      expect(each.record?.isTest === true && !each.acceptsTestPayments).toBe(false);
      // Of an order that names its member, the payer was looked at.
      const { memberId = null } = each.snapshot.order ?? {};
      expect(memberId === null || (each.showsPayer && each.keyOwner !== 'member-2')).toBe(true);
    }),
    3,
  );
});

test('a payment that has got less far than what is stored is believed only when it was seen twice, and is told then', () => {
  const stored = fc.constantFrom<[status: 'paid' | 'cancelled', cancelAmount: number]>(
    ['paid', 0],
    ['cancelled', 300],
    ['cancelled', 1000],
  );
  const shown = fc.constantFrom<[status: 'ready' | 'failed' | 'paid' | 'cancelled', cancelAmount: number]>(
    ...([
      ['ready', 0],
      ['failed', 0],
      ['paid', 0],
      ['cancelled', 300],
    ] as ['ready', 0][]),
  );
  const moved = (status: string, cancelAmount: number) =>
    status === 'paid' || status === 'cancelled' ? 1 + cancelAmount : 0;
  holds(
    fc.property(
      stored,
      shown,
      fc.boolean(),
      orderNow,
      ([was, wasCancelled], [is, isCancelled], confirmed, status) => {
        fc.pre(moved(is, isCancelled) < moved(was, wasCancelled));
        const before = paymentRecord({ status: was, cancelAmount: wasCancelled });
        const verdict = judgePayment({
          ...certain,
          confirmed,
          snapshot: { ...snapshot({ status }), payments: [toStored(before, true)], storedUnder: 'order-1' },
          record: paymentRecord({ status: is, cancelAmount: isCancelled }),
        });
        if (!confirmed) expect(verdict).toEqual({ outcome: 'needs_confirmation', svcUid: 'svc_1' });
        else
          expect('discrepancies' in verdict && verdict.discrepancies.map(({ kind }) => kind)).toContain(
            'status_went_back',
          );
      },
    ),
  );
});

test('what was recorded and is heard again changes nothing', () => {
  holds(
    fc.property(evidence, (each) => {
      const verdict = judgePayment(each);
      if (verdict.outcome !== 'recorded' || each.record === null) return;
      const books = write(each.snapshot, verdict);
      for (const confirmed of [false, true]) {
        const again = judgePayment({ ...each, confirmed, snapshot: { ...each.snapshot, ...books } });
        expect(again).toEqual({
          outcome: 'unchanged',
          payment: { status: each.record.status },
          discrepancies: [],
        });
      }
    }),
    3,
  );
});

test('a verdict depends on nothing but what it is given, and changes none of it', () => {
  holds(
    fc.property(evidence, (each) => {
      const before = structuredClone(each);
      expect(judgePayment(each)).toEqual(judgePayment(structuredClone(each)));
      expect(each).toEqual(before);
    }),
  );
});

// What a payment may go through at the service. Each fetch shows one of these moments.
const LIVES = [
  [['failed', 0]],
  [
    ['ready', 0],
    ['paid', 0],
  ],
  [
    ['ready', 0],
    ['cancelled', 0],
  ],
  [['paid', 0]],
  [
    ['paid', 0],
    ['cancelled', 300],
    ['cancelled', 1000],
  ],
  [
    ['ready', 0],
    ['paid', 0],
    ['cancelled', 1000],
  ],
  [
    ['paid', 0],
    ['paid', 300],
  ],
] as const;
const payments = fc.array(
  fc.record({ life: fc.constantFrom(...LIVES), owner: fc.constantFrom(null, 'member-1', 'member-2') }),
  { minLength: 1, maxLength: 3 },
);
/** Which payment is fetched next, and at which moment of its life; those that go back are fetched again. */
const fetches = fc.array(fc.tuple(fc.nat(2), fc.nat(2)), { maxLength: 12 });
const shuffled = fc.array(fc.nat(), { minLength: 3, maxLength: 3 });
const initial = fc.constantFrom<OrderStatus>('open', 'closed');
type Payments = { life: (typeof LIVES)[number]; owner: string | null }[];

test('once all have arrived, the books are the same, whatever was heard before, how often and in which order', () => {
  holds(
    fc.property(
      payments,
      fetches,
      shuffled,
      shuffled,
      fc.constantFrom(null, 'member-1'),
      (all, heard, one, other, memberId) => {
        const ends = [one, other].map((order, i) => {
          // The second one hears nothing but the last state of each.
          const before = i === 0 ? heard : [];
          return settle(all, [...before, ...lastOf(all, order)], { memberId, status: 'open' });
        });
        expect(ends[0]).toEqual(ends[1]);
      },
    ),
  );
});

test('a closed order ends the same in whatever order its payments are heard, as long as none goes back', () => {
  holds(
    fc.property(payments, fetches, shuffled, shuffled, initial, (all, heard, one, other, status) => {
      const forward = heard.filter(([which, moment], i) =>
        heard.slice(0, i).every(([earlier, at]) => earlier !== which || at <= moment),
      );
      const ends = [forward, []].map((before, i) =>
        settle(all, [...before, ...lastOf(all, i === 0 ? one : other)], { memberId: null, status }),
      );
      expect(ends[0]).toEqual(ends[1]);
    }),
  );
});

test('two payments that hold money are told of as a double payment, whichever is heard first', () => {
  const lives = fc.shuffledSubarray(['svc_1', 'svc_2', 'svc_3'], { minLength: 2 });
  holds(
    fc.property(lives, (uids) => {
      let books: Books = snapshot();
      const kinds = uids.flatMap((uid) => {
        const verdict = judgeOne(books, paymentRecord({ svcUid: uid }), null, false);
        books = write(books, verdict);
        return 'discrepancies' in verdict ? verdict.discrepancies.map(({ kind }) => kind) : [];
      });
      expect(kinds).toEqual(uids.slice(1).map(() => 'duplicate_payment'));
      expect(books.order?.status).toBe('paid');
    }),
  );
});

test('the status of an order is the same for its payments in any order, and stays when it is worked out again', () => {
  const counted = fc.record({
    status: knownStatus,
    amount: fc.constant(1000),
    cancelAmount: fc.constantFrom(0, 300, 1000),
    counted: fc.boolean(),
  });
  const list = fc
    .array(counted, { maxLength: 5 })
    .chain((each) => fc.tuple(fc.constant(each), fc.shuffledSubarray(each, { minLength: each.length })));
  holds(
    fc.property(orderNow, list, (before, [one, other]) => {
      const status = orderStatus(before, one);
      expect(orderStatus(before, other)).toBe(status);
      expect(orderStatus(status, one)).toBe(status);
    }),
  );
});

test('a closed order stays closed exactly until money has moved on a payment that counts', () => {
  const counted = fc.record({
    status: knownStatus,
    amount: fc.constant(1000),
    cancelAmount: fc.constantFrom(0, 0, 300),
    counted: fc.boolean(),
  });
  holds(
    fc.property(fc.array(counted, { maxLength: 5 }), (list) => {
      const hasMoved = list.some((each) => each.counted && (each.status === 'paid' || each.cancelAmount > 0));
      expect(orderStatus('closed', list) === 'closed').toBe(!hasMoved);
    }),
  );
});

const certain: Evidence = {
  claim: { svcUid: 'svc_1', merchantUid: 'order-1' },
  snapshot: snapshot(),
  record: null,
  showsPayer: true,
  keyOwner: null,
  confirmed: false,
  acceptsTestPayments: false,
};

function judgeOne(books: Books, shown: PaymentRecord, keyOwner: string | null, confirmed: boolean): Verdict {
  const isStored = books.payments.some((payment) => payment.svcUid === shown.svcUid);
  return judgePayment({
    ...certain,
    claim: { svcUid: shown.svcUid, merchantUid: 'order-1' },
    snapshot: { ...snapshot(), ...books, storedUnder: isStored ? 'order-1' : null },
    record: shown,
    keyOwner,
    confirmed,
  });
}

/** The books after a verdict, as `payments/payment-store.ts` writes them. */
function write(books: Books, verdict: Verdict): Books {
  if (verdict.outcome !== 'recorded' || books.order === null)
    return { order: books.order, payments: books.payments };
  const { record: shown, counted } = verdict.payment;
  return {
    order: { ...books.order, status: verdict.orderStatus },
    payments: [...books.payments.filter((each) => each.svcUid !== shown.svcUid), toStored(shown, counted)],
  };
}

function toStored({ svcUid: uid, status, amount: paid, cancelAmount, raw }: PaymentRecord, counted: boolean) {
  if (status === 'unknown') throw new Error('no payment of unknown status is ever stored');
  return { svcUid: uid, status, amount: paid, cancelAmount, counted, record: raw, wentBackAt: null };
}

/** Hears each in turn; one that has gone back is asked for again, as `syncPayment` does. */
function settle(
  all: Payments,
  heard: (readonly [number, number])[],
  of: { memberId: string | null; status: OrderStatus },
): Books {
  let books: Books = snapshot(of);
  for (const [which, moment] of heard) {
    const payment = all[which % all.length];
    if (!payment) throw new Error('there is a payment');
    const [status, cancelAmount] = payment.life[Math.min(moment, payment.life.length - 1)] ?? payment.life[0];
    const shown = paymentRecord({ svcUid: `svc_${which % all.length}`, status, cancelAmount });
    const first = judgeOne(books, shown, payment.owner, false);
    books = write(
      books,
      first.outcome === 'needs_confirmation' ? judgeOne(books, shown, payment.owner, true) : first,
    );
  }
  const { order: end, payments: rows } = books;
  return { order: end, payments: rows.toSorted((left, right) => left.svcUid.localeCompare(right.svcUid)) };
}

/** The last moment of each payment, in an order that the numbers say. */
function lastOf(all: Payments, order: number[]): [number, number][] {
  return all
    .map((_, i): [number, number] => [i, 9])
    .toSorted(([left], [right]) => (order[left] ?? 0) - (order[right] ?? 0));
}
