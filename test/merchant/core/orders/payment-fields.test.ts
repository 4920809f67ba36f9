import fc from 'fast-check';
import {
  chargedFields,
  findPaymentFieldProblem,
  fromStoredFields,
  toStoredFields,
  type PaymentFields,
} from '../../../../src/merchant/core/orders/payment-fields';
import { holds } from '../../../support/property';

const won = (amount: number) => ({ amount, currency: 'KRW' });

test.each([
  [{}, won(1), null],
  [{ cardQuota: 0 }, { amount: 1, currency: 'EUR' }, null],
  [{ cardQuota: 2 }, won(50_000), null],
  [{ cardQuota: 2 }, won(49_999), 'instalments_not_possible'],
  [{ cardQuota: 12 }, { amount: 50_000, currency: 'USD' }, 'instalments_not_possible'],
  [{ taxFree: 1 }, won(1), null],
  [{ taxFree: 2 }, won(1), 'tax_free_exceeds_amount'],
])('%j of %j: %j', (fields, order, problem) => {
  expect(findPaymentFieldProblem(fields, order)).toBe(problem);
});

const text = fc.string({ minLength: 1, maxLength: 16 });
const fieldsOf = fc.record<PaymentFields>(
  {
    cardQuota: fc.constantFrom(0, 2, 36),
    taxFree: fc.maxSafeNat(),
    buyer: fc.record({ name: text, tel: text }, { requiredKeys: ['name'] }),
    customData: fc.json(),
  },
  { requiredKeys: [] },
);

test('stored fields are returned unchanged, and absent fields stay absent', () => {
  holds(
    fc.property(fieldsOf, (fields) => {
      expect(fromStoredFields(toStoredFields(fields))).toEqual(fields);
    }),
  );
});

test('a charge has its own fields, and otherwise those of its order', () => {
  holds(
    fc.property(fieldsOf, fieldsOf, (registered, overrides) => {
      expect(chargedFields(toStoredFields(registered), overrides)).toEqual({ ...registered, ...overrides });
    }),
  );
});
