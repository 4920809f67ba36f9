// Each charge has its own id, by which its payment is recognised.

import { belongsToCharge, newChargeId, toCustomData } from '../../../../src/merchant/core/charges/charge-id';
import { newOrderSchema } from '../../../../src/merchant/core/orders/order-schema';
import { toRawRecord } from '../../../../src/merchant/payment-service/records/raw-record';

/** As a record of the service is stored: masked, cleaned and cut. */
const kept = (custom_data: string) => ({ raw: toRawRecord({ custom_data }) });

test.each([
  ['that says nothing', undefined],
  ['of greatest length in Hangul', '가'.repeat(1898)],
  ['with what looks like a card number, as number', { card: 4242424242424242, at: 1763740800000 }],
  ['with characters that are removed or replaced', '\u2028\u200b\u202e\u001b[31m\u0000\ud83d'],
  ['that names another attempt', { charge: 'other', custom_data: { charge: 'another' } }],
  ['that is masked and names another attempt', [{ charge: 'other' }, 4242424242424242]],
])('the id is found beside data of the merchant %s', (_, data) => {
  const order = { merchant_uid: 'order-1', name: 'Tea', amount: 1, custom_data: data };
  const { custom_data: customData } = newOrderSchema.parse(order);
  for (let count = 0; count < 100; count += 1) {
    const id = newChargeId();
    const sent = toCustomData(id, customData);
    expect(JSON.parse(sent)).toEqual({ charge: id, custom_data: data });
    expect(kept(sent).raw['custom_data']).toMatch(/\}$/);
    expect(belongsToCharge(id, kept(sent))).toBe(true);
    for (const other of ['other', 'another', newChargeId()])
      expect(belongsToCharge(other, kept(sent))).toBe(false);
  }
});

test.each([
  ['is absent', undefined],
  ['is no JSON', 'charge'],
  ['is the JSON of nothing', 'null'],
  ['names another attempt', toCustomData('other')],
  ['names the attempt only within', '{"charge":"abc","custom_data":{"charge":"mine"}}'],
  ['is masked and names it only within', '{"charge":"abc","custom_data":[{"charge":"mine"},4242**4242]}'],
  ['is masked and begins with something else', '{"cart":4242**4242,"charge":"mine"}'],
])('a record whose custom_data %s does not belong to the attempt', (_, custom_data) => {
  expect(belongsToCharge('mine', { raw: { custom_data } })).toBe(false);
});

test.each([
  '{"custom_data":{"charge":"abc"},"charge":"mine"}',
  '\n{ "charge" : "mine", "custom_data" : 4242**4242 }',
])('the id is found in any spelling of the JSON: %s', (custom_data) => {
  expect(belongsToCharge('mine', { raw: { custom_data } })).toBe(true);
});
