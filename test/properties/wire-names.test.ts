// Names on the wire, and what travels in `custom_data`: what goes out comes back as it was.

import fc from 'fast-check';
import { belongsToCharge, newChargeId, toCustomData } from '../../src/merchant/charges/charge-id';
import { toRawRecord } from '../../src/merchant/payment-service/records/raw-record';
import { fromWire, toWire, wireNames } from '../../src/merchant/payment-service/transport/wire-names';
import { holds } from '../support/property';

const DOCUMENT = ['svc_key', 'svc_secret', 'svc_uid'];
const prefix = fc.oneof(fc.stringMatching(/^[a-z][a-z0-9]{0,9}$/), fc.constant('svc'));
/** Bodies under the document's names; none of the names is one of the wire by chance. */
const bodyFor = (wire: string) => {
  const name = fc
    .oneof(fc.constantFrom(...DOCUMENT, 'merchant_uid', 'svc_other', 'uid', 'key'), fc.string())
    .filter((each) => wire === 'svc' || !new RegExp(`^(${wire}_(key|secret|uid)|__proto__)$`).test(each));
  return fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.constantFrom(...DOCUMENT)),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).value;
};
const sent = prefix.chain((wire) => fc.tuple(fc.constant(wire), bodyFor(wire)));

test('a body that goes out and comes back is as it was, under every prefix', () => {
  holds(
    fc.property(sent, ([wire, body]) => {
      const names = wireNames(wire);
      expect(fromWire(names, toWire(names, body))).toEqual(body);
    }),
  );
});

test('with another prefix the document’s three names are not on the wire, at any depth, and are not read from it', () => {
  holds(
    fc.property(sent, ([wire, body]) => {
      fc.pre(wire !== 'svc');
      const names = wireNames(wire);
      for (const renamed of [toWire(names, body), fromWire(names, body)])
        expect(namesIn(renamed).filter((name) => DOCUMENT.includes(name))).toEqual([]);
    }),
  );
});

test('only names are renamed: values and their count stay', () => {
  holds(
    fc.property(sent, ([wire, body]) => {
      const out = toWire(wireNames(wire), body);
      expect(valuesIn(out)).toEqual(valuesIn(body));
      expect(namesIn(out)).toHaveLength(namesIn(body).length);
    }),
  );
});

test('a charge is known by its stored record, whatever the merchant sends along, and no other charge is', () => {
  const cardIn = fc.stringMatching(/^[0-9]{13,19}$/).map((digits) => `{"pan":${digits},"charge":"abc"}`);
  const long = fc.string({ minLength: 2100, maxLength: 2200 }).map((text) => JSON.stringify(text));
  holds(
    fc.property(fc.oneof(fc.constant(undefined), fc.json({ maxDepth: 4 }), cardIn, long), (own) => {
      const [id, other] = [newChargeId(), newChargeId()];
      const raw = toRawRecord({ custom_data: toCustomData(id, own) });
      expect(belongsToCharge(id, { raw })).toBe(true);
      expect(belongsToCharge(other, { raw })).toBe(false);
    }),
  );
});

test('no `custom_data` of somebody else passes for that of a charge', () => {
  const id = newChargeId();
  const nested = fc.oneof(
    fc.json(),
    fc.anything(),
    fc.constant(JSON.stringify({ custom_data: { charge: id } })),
    fc.constant(JSON.stringify([{ charge: id }])),
    fc.constant(`x{"charge":"${id}"}`),
  );
  holds(
    fc.property(nested, (custom_data) => expect(belongsToCharge(id, { raw: { custom_data } })).toBe(false)),
  );
});

function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(namesIn);
  return Array.isArray(value) ? inner : [...Object.keys(value), ...inner];
}

function valuesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [JSON.stringify(value)];
  // In an order of their own: a name that is renamed may stand elsewhere among names that are numbers.
  return Object.values(value).flatMap(valuesIn).sort();
}
