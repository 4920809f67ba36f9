// Only the three names with a prefix are renamed on the wire, and the renaming is reversible.

import fc from 'fast-check';
import { fromWire, toWire, wireNames } from '../../src/merchant/payment-service/transport/wire-names';
import { holds } from '../support/property';

test('the prefix replaces the three names at every depth', () => {
  const names = wireNames('abc');
  const body = { svc_key: 'k', svc_secret: 's', list: [{ svc_uid: 'u', svc_other: 1, merchant_uid: 'm' }] };
  const wire = { abc_key: 'k', abc_secret: 's', list: [{ abc_uid: 'u', svc_other: 1, merchant_uid: 'm' }] };
  expect(toWire(names, body)).toEqual(wire);
  expect(fromWire(names, wire)).toEqual(body);
});

test('E23: a very deep body and one with __proto__ are handled safely', () => {
  const names = wireNames('abc');
  const deep = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as unknown;
  expect(() => fromWire(names, deep)).not.toThrow();
  fromWire(names, JSON.parse('{"__proto__":{"polluted":1}}'));
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

const DOCUMENT = ['svc_key', 'svc_secret', 'svc_uid'];
const prefix = fc.oneof(fc.stringMatching(/^[a-z][a-z0-9]{0,9}$/), fc.constant('svc'));
/** Bodies with the document's names, none of which is also a wire name. */
const bodyFor = (wire: string) => {
  const name = fc
    .oneof(fc.constantFrom(...DOCUMENT, 'merchant_uid', 'svc_other', 'uid', 'key'), fc.string())
    .filter((each) => wire === 'svc' || !new RegExp(`^(${wire}_(key|secret|uid)|__proto__)$`).test(each));
  const values = [fc.string(), fc.integer(), fc.constant(null), fc.constantFrom(...DOCUMENT)];
  return fc.object({ key: name, values, maxDepth: 4 });
};

test('a body is unchanged after both translations, and with another prefix the document’s three names are neither sent nor read', () => {
  const sent = prefix.chain((wire) => fc.tuple(fc.constant(wire), bodyFor(wire)));
  holds(
    fc.property(sent, ([wire, body]) => {
      const names = wireNames(wire);
      const out = toWire(names, body);
      expect(fromWire(names, out)).toEqual(body);
      if (wire === 'svc') return;
      for (const renamed of [out, fromWire(names, body)])
        expect(namesIn(renamed).filter((name) => DOCUMENT.includes(name))).toEqual([]);
    }),
  );
});

function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(namesIn);
  return Array.isArray(value) ? inner : [...Object.keys(value), ...inner];
}
