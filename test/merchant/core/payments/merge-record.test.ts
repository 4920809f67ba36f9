// Merges the records of one payment from two interface generations.

import fc from 'fast-check';
import { mergeRecord } from '../../../../src/merchant/core/payments/stored-record';
import type { JsonObject } from '../../../../src/merchant/payment-service/records/raw-record';
import { paymentRecord } from '../../../support/builders';
import { holds } from '../../../support/property';

const status = fc.constantFrom('ready' as const, 'paid' as const, 'failed' as const);
const text = fc.option(fc.constantFrom('one', 'two', 'three'), { nil: null });
const record = fc.record({ status, failReason: text, cardName: text }).map((shown) => {
  const raw = { ...paymentRecord(shown).raw, fail_reason: shown.failReason, card_name: shown.cardName };
  return paymentRecord({ ...shown, raw });
});
const generation = fc.constantFrom('legacy' as const, 'newer' as const);

test('a record no longer changes after both generations were fetched once', () => {
  holds(
    fc.property(record, record, (legacy, newer) => {
      // Both are about the same moment.
      const same = { ...newer, status: legacy.status, raw: { ...newer.raw, status: legacy.status } };
      const hear = (stored: JsonObject) =>
        mergeRecord(mergeRecord(stored, same, 'newer').raw, legacy, 'legacy').raw;
      const rest = hear(legacy.raw);
      expect(mergeRecord(rest, same, 'newer').raw).toEqual(rest);
      expect(hear(rest)).toEqual(rest);
    }),
  );
});

test('money and status are always those of the fetch', () => {
  holds(
    fc.property(record, record, generation, (before, fetched, by) => {
      const { status, amount, cancelAmount } = fetched;
      expect(mergeRecord(before.raw, fetched, by)).toMatchObject({ status, amount, cancelAmount });
    }),
  );
});

test('the newer generation deletes no field', () => {
  holds(
    fc.property(record, record, (before, fetched) => {
      const merged = mergeRecord(before.raw, fetched, 'newer').raw;
      for (const name of ['fail_reason', 'card_name'])
        if (before.raw[name] !== null) expect(merged[name]).toBe(before.raw[name]);
    }),
  );
});
