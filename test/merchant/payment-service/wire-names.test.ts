// The three names with a prefix are renamed on the wire, and no others. For every body: test/properties/wire-names.test.ts.

import {
  fromWire,
  nameToWire,
  toWire,
  wireNames,
} from '../../../src/merchant/payment-service/transport/wire-names';

const names = wireNames('abc');

test('the prefix stands in place of the three names, at every depth', () => {
  const body = { svc_key: 'k', svc_secret: 's', list: [{ svc_uid: 'u', svc_other: 1, merchant_uid: 'm' }] };
  const wire = { abc_key: 'k', abc_secret: 's', list: [{ abc_uid: 'u', svc_other: 1, merchant_uid: 'm' }] };
  expect(toWire(names, body)).toEqual(wire);
  expect(fromWire(names, wire)).toEqual(body);
});

test('query names keep their brackets', () => {
  const sent = ['svc_uid[]', 'svc_uid', 'merchant_uid[]'].map((name) => nameToWire(names, name));
  expect(sent).toEqual(['abc_uid[]', 'abc_uid', 'merchant_uid[]']);
});

test('E23: a body without end or with __proto__ in it does no harm', () => {
  const deep = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as unknown;
  expect(() => fromWire(names, deep)).not.toThrow();
  fromWire(names, JSON.parse('{"__proto__":{"polluted":1}}'));
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});
