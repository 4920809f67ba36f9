// Bodies from outside: what is read of them, and what is refused.

import fc from 'fast-check';
import { exactLine, textLine } from '../../src/merchant/http/body-fields';
import { isMerchantUid, isSvcUid } from '../../src/merchant/payment-service/identifiers';
import { readPayment, readPaymentState } from '../../src/merchant/payment-service/records/payment-record';
import { claimsLaterStatus, parseNotification } from '../../src/merchant/webhooks/parse-notification';
import { holds } from '../support/property';
import { serviceResponse } from '../support/service-client';

const messy = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom('a', ' ', '\t', '\n', '\0', '\ud800', '차', '🙂', '\u007f'), { maxLength: 12 })
    .map((parts) => parts.join('')),
);
const most = fc.integer({ min: 1, max: 40 });
const CONTROL = /[\p{Cc}\p{Cs}]/u;

test('a text of one line is taken as it is, or refused for what a row or the wire cannot hold', () => {
  holds(
    fc.property(messy, most, (text, length) => {
      const parsed = exactLine(length).safeParse(text);
      expect(parsed.success).toBe(text !== '' && [...text].length <= length && !CONTROL.test(text));
      if (parsed.success) expect(parsed.data).toBe(text);
      const trimmed = textLine(length).safeParse(text).data;
      if (trimmed === undefined) return;
      expect(trimmed).toBe(text.trim());
      expect(exactLine(length).parse(trimmed)).toBe(trimmed);
    }),
  );
});

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

test('a notification is read exactly where it has both ids of one generation, good ones, and no word of the other', () => {
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

test('no word but a known one, in any case of letters, claims that a payment has got further', () => {
  const known = fc.mixedCase(
    fc.constantFrom('paid', 'cancelled', 'ready', 'failed', 'virtual_account_issued'),
  );
  const word = fc.oneof(known, fc.string(), fc.constantFrom('__proto__', 'toString', 'constructor'));
  holds(
    fc.property(fc.option(word), fc.constantFrom('ready' as const, 'failed' as const), (claimed, fetched) => {
      const lower = claimed?.toLowerCase();
      const isCancelled = lower === 'cancelled';
      expect(claimsLaterStatus(claimed, fetched)).toBe(lower === 'paid' || isCancelled);
      expect(claimsLaterStatus(claimed, 'paid')).toBe(isCancelled);
      expect(claimsLaterStatus(claimed, 'cancelled')).toBe(false);
      expect(claimsLaterStatus(claimed, null)).toBe(false);
    }),
  );
});

test('an amount of a record is read exactly where it is a whole number that can be counted, and never as another one', () => {
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
    fc.property(value, value, (amount, cancel_amount) => {
      // As it comes over the wire.
      const payload = JSON.parse(JSON.stringify({ ...ids, amount, cancel_amount })) as Record<
        string,
        unknown
      >;
      const { amount: paid, cancel_amount: cancelled } = payload;
      const isGood = isAmount(paid) && (cancelled === null || isAmount(cancelled));
      for (const read of [readPayment, readPaymentState] as const) {
        const amounts = () => {
          const { amount, cancelAmount } = read(serviceResponse(payload));
          return [amount, cancelAmount];
        };
        if (isGood) expect(amounts()).toEqual([paid, cancelled ?? 0]);
        else expect(amounts).toThrow('amount is missing or not as described');
      }
    }),
  );
});
