// Each charge has an id of its own, by which its payment is recognised.

import { belongsToCharge, newChargeId, toCustomData } from '../../../src/merchant/charges/charge-id';
import { cleanText } from '../../../src/merchant/payment-service/records/clean-text';

test('each attempt has a name of its own, of letters only, that fits its column', () => {
  const ids = Array.from({ length: 1000 }, newChargeId);
  expect(new Set(ids).size).toBe(1000);
  for (const id of ids) expect(id).toMatch(/^[a-p]{32}$/);
});

test('the name survives what is done to the texts of a record that is stored', () => {
  for (let count = 0; count < 1000; count += 1) {
    const id = newChargeId();
    expect(belongsToCharge(id, { raw: { custom_data: cleanText(toCustomData(id), 2000) } })).toBe(true);
  }
});

test.each([
  ['is absent', undefined],
  ['is null', null],
  ['is no JSON', 'charge'],
  ['is JSON of something else', '"charge"'],
  ['is the JSON of nothing', 'null'],
  ['names another attempt', toCustomData('other')],
  ['is the object itself', { charge: 'mine' }],
])('a record whose custom_data %s did not come of the attempt', (_, custom_data) => {
  expect(belongsToCharge('mine', { raw: { custom_data } })).toBe(false);
});

test('a service may write the echoed JSON in its own way', () => {
  expect(belongsToCharge('mine', { raw: { custom_data: '{ "charge" : "mine" }' } })).toBe(true);
});
