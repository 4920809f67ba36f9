// Bodies from outside: what is read of them, and what is refused.

import fc from 'fast-check';
import { parseNotification, reportsLaterStatus } from '../../src/merchant/core/webhooks/parse-notification';
import { isMerchantUid, isSvcUid } from '../../src/merchant/payment-service/identifiers';
import { readPayment, readPaymentState } from '../../src/merchant/payment-service/records/payment-record';
import { holds } from '../support/property';
import { serviceResponse } from '../support/service-client';

const id = fc.oneof(
  fc.stringMatching(/^[\w-]{1,64}$/),
  fc.constantFrom('..', 'a/b', '', 'svc\n', ['svc_1'], 7, null),
);
const NAMES = ['svc_uid', 'merchant_uid', 'tx_id', 'payment_id'] as const;
const body = fc.record(
  {
    svc_uid: id,
    merchant_uid: id,
    tx_id: id,
    payment_id: id,
    status: fc.oneof(fc.constantFrom('paid', 'PAID', 'x y', 7), fc.string()),
    other: fc.anything(),
  },
  { requiredKeys: [] },
);

test('a notification is read exactly if it has both valid ids of one generation and no field of the other', () => {
  holds(
    fc.property(body, (each) => {
      const [hasSvcUid, hasMerchantUid, hasTxId, hasPaymentId] = NAMES.map((name) =>
        Object.hasOwn(each, name),
      );
      const isLegacy = hasSvcUid && hasMerchantUid && !hasTxId && !hasPaymentId;
      const isNewer = !hasSvcUid && !hasMerchantUid && hasTxId && hasPaymentId;
      const svcUid = isLegacy ? each.svc_uid : each.tx_id;
      const merchantUid = isLegacy ? each.merchant_uid : each.payment_id;
      const claimedStatus = each.status ?? null;
      const isStatus = claimedStatus === null || /^[\w-]{0,64}$/.test(String(claimedStatus));
      const isText = claimedStatus === null || typeof claimedStatus === 'string';
      const isGood = (isLegacy || isNewer) && isSvcUid(svcUid) && isMerchantUid(merchantUid);
      const read = { generation: isLegacy ? 'legacy' : 'newer', svcUid, merchantUid, claimedStatus };
      expect(parseNotification(each)).toEqual(isGood && isStatus && isText ? read : null);
    }),
    3,
  );
  const other = fc.anything({ withNullPrototype: true, withMap: true, withDate: true });
  holds(fc.property(other, (each) => expect(parseNotification(each)).toBeNull()));
});

test('only a known status, in any case, can report progress of a payment', () => {
  const known = fc.mixedCase(
    fc.constantFrom('paid', 'cancelled', 'ready', 'failed', 'virtual_account_issued'),
  );
  const word = fc.oneof(known, fc.string(), fc.constantFrom('__proto__', 'toString', 'constructor'));
  holds(
    fc.property(
      fc.option(word),
      fc.constantFrom('ready' as const, 'failed' as const),
      (reported, fetched) => {
        const lower = reported?.toLowerCase();
        const isCancelled = lower === 'cancelled';
        expect(reportsLaterStatus(reported, fetched)).toBe(lower === 'paid' || isCancelled);
        expect(reportsLaterStatus(reported, 'paid')).toBe(isCancelled);
        expect(reportsLaterStatus(reported, 'cancelled')).toBe(false);
        expect(reportsLaterStatus(reported, null)).toBe(false);
      },
    ),
  );
});

test('an amount of a record is read exactly if it is a safe integer, and without change', () => {
  const value = fc.oneof(
    fc.maxSafeInteger(),
    fc.maxSafeNat(),
    fc.constantFrom(0, -0, 2 ** 53, 2 ** 53 - 1, 1e21, '1000', '', null, true, [1000], { total: 1000 }),
    fc.double(),
    fc.jsonValue(),
  );
  const ids = { svc_uid: 'svc_1', merchant_uid: 'order-1', status: 'paid', currency: 'KRW' };
  const isAmount = (each: unknown) => Number.isSafeInteger(each) && (each as number) >= 0;
  holds(
    fc.property(value, value, (paid, cancelled) => {
      // As it comes over the wire.
      const { amount, cancel_amount } = JSON.parse(
        JSON.stringify({ amount: paid, cancel_amount: cancelled }),
      ) as {
        amount: unknown;
        cancel_amount: unknown;
      };
      const isGood = isAmount(amount) && (cancel_amount === null || isAmount(cancel_amount));
      for (const read of [readPayment, readPaymentState] as const) {
        const record = () => read(serviceResponse({ ...ids, amount, cancel_amount }));
        if (isGood) expect(record()).toMatchObject({ amount, cancelAmount: cancel_amount ?? 0 });
        else expect(record).toThrow('amount is missing or not as described');
      }
    }),
  );
});
