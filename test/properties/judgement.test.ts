// The verification, for any answer of the service.

import fc from 'fast-check';
import type { OrderStatus } from '../../src/generated/prisma/client';
import { heldAmount } from '../../src/merchant/core/attempts/held-money';
import { judgePayment, type Evidence } from '../../src/merchant/core/payments/judge-payment';
import type { Snapshot } from '../../src/merchant/core/payments/payment-store';
import {
  cancelEntry,
  orderStatusNow,
  paymentRecord,
  paymentStatus,
  snapshot,
  write,
} from '../support/builders';
import { holds } from '../support/property';

/** Most values match, so most evidence differs from a valid payment in only one or two places. */
const mostly = <T>(good: T, others: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(good) }, { weight: 1, arbitrary: others });
const amount = fc.constantFrom(0, 1, 300, 999, 1000, 1001);
const svcUid = fc.constantFrom('svc_1', 'svc_2', 'svc_3');
const record = fc
  .record({
    svcUid: mostly<'svc_1' | 'svc_2' | 'svc_3'>('svc_1', svcUid),
    merchantUid: mostly('order-1', fc.constant('order-2')),
    status: fc.oneof(paymentStatus, mostly('paid' as const, fc.constant('unknown' as const))),
    amount: mostly<number>(1000, amount),
    cancelAmount: fc.oneof(fc.constant(0), amount),
    currency: mostly<string | null>('KRW', fc.constantFrom('USD', null)),
    cancelHistory: mostly([], fc.array(fc.option(amount).map(cancelEntry), { maxLength: 2 })),
    otherSvcUids: fc.subarray(['svc_2', 'svc_3']),
  })
  .map(paymentRecord);
const storedPayment = fc.record({
  svcUid,
  status: paymentStatus,
  amount: fc.constant(1000),
  cancelAmount: fc.constantFrom(0, 300, 1000),
  counted: fc.boolean(),
  record: fc.constantFrom(paymentRecord().raw, {}),
  regressedAt: fc.constantFrom(null, '2026-11-21T00:00:00.000Z'),
});
const order = fc.record({
  amount: mostly(1000, fc.constant(999)),
  currency: mostly('KRW', fc.constant('USD')),
  memberId: fc.constantFrom(null, 'member-1'),
  status: orderStatusNow,
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
  reported: fc.record({ svcUid: mostly<string>('svc_1', svcUid), merchantUid: fc.constant('order-1') }),
  snapshot: anySnapshot,
  record: fc.option(record, { freq: 9 }),
  showsPayer: fc.boolean(),
  channel: mostly<'live' | 'test' | 'not_shown'>('live', fc.constantFrom('test', 'not_shown')),
  issuedKey: fc.constant(null),
  keyOwner: fc.constantFrom(null, 'member-1', 'member-2'),
  confirmed: fc.boolean(),
  acceptsTestPayments: fc.boolean(),
});
const isStored = ({ snapshot: { payments }, record: shown }: Evidence) =>
  payments.some((payment) => payment.svcUid === shown?.svcUid);
const holdsMoney = (status: OrderStatus) => status === 'paid' || status === 'partially_cancelled';

test('only a payment of this order with its exact amount and currency is recorded', () => {
  holds(
    fc.property(evidence, (each) => {
      const verdict = judgePayment(each);
      if (verdict.outcome !== 'recorded' && verdict.outcome !== 'unchanged') return;
      const { order: of, storedUnder } = each.snapshot;
      if (verdict.outcome === 'unchanged' && !isStored(each)) {
        // Nothing is paid, and nothing is written.
        expect(each.record?.amount !== of?.amount || each.record?.currency !== of?.currency).toBe(true);
        expect(['ready', 'failed', 'cancelled']).toContain(each.record?.status);
        expect(each.record?.cancelAmount).toBe(0);
        return;
      }
      const asOrdered = { merchantUid: 'order-1', amount: of?.amount, currency: of?.currency };
      expect(each.record).toMatchObject(asOrdered);
      expect([each.record?.svcUid, ...(each.record?.otherSvcUids ?? [])]).toContain(each.reported.svcUid);
      expect([null, 'order-1']).toContain(storedUnder);
      if (verdict.outcome === 'recorded') expect(verdict.payment.record).toBe(each.record);
    }),
    3,
  );
});

test('an order holds money only by a counted live payment that shows it', () => {
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
      expect(each.acceptsTestPayments || each.channel === 'live').toBe(true);
      // For an order with a member the payer was checked.
      const { memberId = null } = each.snapshot.order ?? {};
      expect(memberId === null || (each.showsPayer && each.keyOwner !== 'member-2')).toBe(true);
    }),
    3,
  );
});

test('a repeated record changes nothing', () => {
  holds(
    fc.property(evidence, (each) => {
      const verdict = judgePayment(each);
      if (verdict.outcome !== 'recorded' || each.record === null) return;
      const books = write(each.snapshot, verdict);
      for (const confirmed of [false, true]) {
        const again = judgePayment({ ...each, confirmed, snapshot: { ...each.snapshot, ...books } });
        const payment = { status: each.record.status };
        expect(again).toEqual({ outcome: 'unchanged', payment, discrepancies: [] });
      }
    }),
    3,
  );
});
