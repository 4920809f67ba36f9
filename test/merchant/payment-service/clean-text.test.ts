// Texts from the service are cleaned before they are stored: card numbers are masked, control characters removed,
// lengths limited. For every text and record: test/properties/masks.test.ts.

import { inspect } from 'node:util';
import { cleanIdentifier, cleanText } from '../../../src/merchant/payment-service/records/clean-text';
import { toRawRecord } from '../../../src/merchant/payment-service/records/raw-record';

describe('clean text', () => {
  test.each([
    ['a card number', 'card 4242424242424242 declined', 'card 424242******4242 declined'],
    ['of 13 digits', '4222222222222', '422222***2222'],
    ['that fails Luhn, as domestic cards do', '9410000000000001', '941000******0001'],
    ['in full-width digits', '４２４２４２４２４２４２４２４２', '４２４２４２******４２４２'],
    ['split by zero-width characters', '42424242\u200b42424242', '424242******4242'],
    ['split by a line end', '42424242\n42424242', '424242** ****4242'],
    ['masked too little by the service (J10)', '4242-4242-42**-4242', '4242-42**-****-4242'],
    ['masked enough', '4242-42**-****-4242', '4242-42**-****-4242'],
    ['a telephone number', '010-1234-5678', '010-1234-5678'],
    ['ANSI colours', '\u001b[31mred\u001b[0m', 'red'],
    ['NUL, bell and right-to-left override', 'a\u0000b\u0007c\u202ed', 'abcd'],
    ['bullets for digits', '4242-42●●-●●••-4242', '4242-42**-****-4242'],
    ['nothing but invisible characters', '\u0000\u200b\u202e', ''],
    ['a lone surrogate', 'a\ud800b', 'ab'],
    ['line ends', 'a\r\nb\u2028c', 'a b c'],
    ['Korean and emoji', '한도초과 🙂', '한도초과 🙂'],
  ])('%s', (_, text, clean) => {
    expect(cleanText(text, 200)).toBe(clean);
  });

  test('a cut leaves neither half a surrogate pair nor a part of a card number', () => {
    expect(cleanText('🙂🙂', 3)).toBe('🙂');
    expect(cleanText('🙂🙂', 4)).toBe('🙂🙂');
    expect(cleanText(`${'x'.repeat(10)}4242424242424242`, 22)).toBe(`${'x'.repeat(10)}424242******`);
  });

  test('an identifier keeps its digits', () => {
    expect(cleanIdentifier('20261121100000001', 64)).toBe('20261121100000001');
    expect(cleanIdentifier('20261121100000001', 8)).toBe('20261121');
    expect(cleanIdentifier('2026\u200b1121\n1', 64)).toBe('20261121 1');
  });
});

describe('raw record', () => {
  test('keeps unknown fields, masks card numbers everywhere, and does not cut identifiers', () => {
    const record = {
      merchant_uid: '1732178723123',
      pg_tid: '20261121100000001',
      card_number: '4242424242424242',
      new_field: { note: 'pan 4242 4242 4242 4242', pan: 4242424242424242, yes: true, none: null },
    };
    expect(toRawRecord(record)).toEqual({
      merchant_uid: '1732178723123',
      pg_tid: '20261121100000001',
      card_number: '424242******4242',
      new_field: { note: 'pan 4242 42** **** 4242', pan: '424242******4242', yes: true, none: null },
    });
  });

  test('E23: fields named after prototypes are left out', () => {
    const text = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":1}';
    expect(inspect(toRawRecord(JSON.parse(text) as object))).toBe('{ a: 1 }');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('has limited texts and depth, and is always JSON', () => {
    const deep = JSON.parse('{"a":'.repeat(5_000) + '1' + '}'.repeat(5_000)) as object;
    expect(JSON.stringify(toRawRecord(deep)).length).toBeLessThan(100);
    expect(toRawRecord({ custom_data: 'x'.repeat(5_000) })['custom_data']).toHaveLength(2_000);
    expect(toRawRecord(JSON.parse('{"a":1e999}') as object)).toEqual({ a: null });
  });
});
