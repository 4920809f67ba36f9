// Card input is normalised where its meaning is clear. Otherwise it is refused with the problem of its field (§2.2).
// test/properties/card-form/card-form.test.ts tries many more.

import { execFileSync } from 'node:child_process';
import { parseCardInput, parseKeyInCard } from '../../../../src/merchant/options/card-form/card-input';
import { fullWidth } from '../../../support/cards';

const NOW = new Date('2026-11-21T00:00:00Z');
const GOOD = { card_number: '4242-4242-4242-4242', expiry: '12/30', birth: '880228', pwd_2digit: '12' };
const read = (fields: object) => parseCardInput({ ...GOOD, ...fields }, NOW);

/** One row for each of the texts between the bars. */
const rows = (texts: string, result: string): [unknown, string][] =>
  texts.split('|').map((text) => [text, result]);

test.each([
  '4242424242424242',
  ' 4242-4242-4242-4242 ',
  '4242-424242424242',
  '4242.4242 4242.4242',
  // As long as a field may be.
  `4242424242424242${' '.repeat(16)}`,
])('the card number %p is normalised to XXXX-XXXX-XXXX-XXXX (H17)', (card_number) =>
  expect(read({ card_number })).toMatchObject({ card: { cardNumber: '4242-4242-4242-4242' } }),
);

test.each([
  ['letters', '4242-4242-4242-424a', 'card_number_digits'],
  ['fifteen digits', '424242424242424', 'card_number_length'],
  ['seventeen digits', '42424242424242424', 'card_number_length'],
  ['full-width digits', fullWidth('4242424242424242'), 'card_number_digits'],
  ['a zero-width space', '4242\u200b424242424242', 'card_number_digits'],
  ['a byte order mark at the end', '4242424242424242\ufeff', 'card_number_digits'],
  ['one sign too much', `4242424242424242${' '.repeat(17)}`, 'card_number_digits'],
  ['nothing but spaces', '   ', 'card_number_missing'],
  ['nothing', '', 'card_number_missing'],
  ['no field', undefined, 'card_number_missing'],
  ['the field twice', ['4242424242424242', '4242424242424242'], 'card_number_digits'],
])('a card number with %s is reported at its field (H17)', (_name, card_number, problem) =>
  expect(read({ card_number })).toEqual({ problems: { card_number: problem } }),
);

test('a number that fails Luhn is accepted, because the document has no such rule (H21)', () => {
  expect(read({ card_number: '4242424242424241' })).toHaveProperty('card.cardNumber', '4242-4242-4242-4241');
});

test.each([
  ...rows('1230|12/30|12 / 2030|  12/30  |12   /   30|12.30|12-30|12/2030|12.2030', '2030-12'),
  ...rows('2030-12|2030.12|2030/12', '2030-12'),
  ...rows('1/30|1 - 30', '2030-01'),
  ...rows('11/26', '2026-11'),
  ...rows('11/46', '2046-11'),
])('the expiry %p means %s', (expiry, value) =>
  expect(read({ expiry })).toHaveProperty('card.expiry', value),
);

test.each([
  ...rows('2030-13|2030-00|30-01|13/30|0/30|12/3|123|01230|12301|30.01|2030 12|2030.1', 'expiry_format'),
  ...rows('x2030-12|2030-12x|2030-123|2030--12|203012|012/30|x12/30|12/30x|12/030', 'expiry_format'),
  ...rows('12    /30|12/    30|12..30|12,30', 'expiry_format'),
  ...rows('10/26|01/1999', 'expiry_past'),
  ...rows('12/46', 'expiry_too_far'),
  [fullWidth('1230'), 'expiry_format'],
  [['12/30', '12/30'], 'expiry_format'],
  ['', 'expiry_missing'],
  [undefined, 'expiry_missing'],
])('the expiry %p is refused as %s (H18)', (expiry, problem) =>
  expect(read({ expiry })).toEqual({ problems: { expiry: problem } }),
);

const MOMENTS = ['2026-11-30T14:59:59.999Z', '2026-11-30T15:00:00.000Z', '2026-12-31T15:00:00.000Z'];
const EXPIRIES = ['11/26', '12/26', '01/27', '11/46', '12/46'];
const VERDICTS = [
  ['2026-11', '2026-12', '2027-01', '2046-11', 'expiry_too_far'],
  ['expiry_past', '2026-12', '2027-01', '2046-11', '2046-12'],
  ['expiry_past', 'expiry_past', '2027-01', '2046-11', '2046-12'],
];

test('a card is valid until the last moment of its month in Korea (H18)', () => {
  const judge = (expiry: string, moment: string) => {
    const parsed = parseCardInput({ ...GOOD, expiry }, new Date(moment));
    return 'card' in parsed ? parsed.card.expiry : parsed.problems.expiry;
  };
  expect(MOMENTS.map((moment) => EXPIRIES.map((expiry) => judge(expiry, moment)))).toEqual(VERDICTS);
});

test('the time zone of the host does not matter (H18)', () => {
  // Node.js reads TZ once, so the time zone needs its own process.
  const file = require.resolve('../../../../src/merchant/options/card-form/card-input');
  const script = `
    const { parseCardInput } = require(${JSON.stringify(file)});
    const judge = (expiry, moment) => {
      const { card, problems } = parseCardInput({ ...${JSON.stringify(GOOD)}, expiry }, new Date(moment));
      return card ? card.expiry : problems.expiry;
    };
    const expiries = ${JSON.stringify(EXPIRIES)};
    const verdicts = ${JSON.stringify(MOMENTS)}.map((moment) => expiries.map((expiry) => judge(expiry, moment)));
    console.log(JSON.stringify([new Date(2026, 0, 1).getTimezoneOffset(), verdicts]));`;
  const flags = ['--require', require.resolve('tsx/cjs'), '--eval', script];
  const env = { PATH: process.env['PATH'], TZ: 'America/Los_Angeles' };
  const printed = execFileSync(process.execPath, flags, { env, encoding: 'utf8' });
  expect(JSON.parse(printed)).toEqual([480, VERDICTS]);
});

test.each([
  ...rows('880101|  880101  |19880101|88-01-01|1988-01-01|88.01.01|1988/01/01|88 01 01', '880101'),
  ...rows('000229|20000229|2000-02-29', '000229'),
  ...rows('1234567891|123-45-67891|123.45.67891|123 45 67891', '1234567891'),
  ...rows('110-81-41272', '1108141272'),
  // Its check digit is 9, and counted downwards it would be 1.
  ...rows('100-00-00009', '1000000009'),
  // The tens of the ninth place count: 5 times 9 is 45, and 5 times 8 is 40.
  ...rows('000-00-00091', '0000000091'),
  ...rows('000-00-00086', '0000000086'),
  // The check digit of a sum that ends in 0 is 0.
  ...rows('900-10-00000', '9001000000'),
])('the birth date or business number %p is read as %s (H19)', (birth, value) =>
  expect(read({ birth })).toHaveProperty('card.birth', value),
);

test.each([
  ...rows('880230|881301|880100|010229|880001|880132|880431|19880230|1988.13.01', 'birth_date'),
  // 2000 had a 29 February and 1900 had none; without a century the day may be in either.
  ...rows('19000229|1900-02-29', 'birth_date'),
  ...rows('8801011|88 0101|88-0101|88-01.01|88--01--01|1988-1-1|18880101|21000101|119880101', 'birth_format'),
  ...rows('x880101|880101x|1123-45-67891|123-45-678911|123--45-67891|88010112345678', 'birth_format'),
  ...rows('8801011234567|880101-1234567', 'birth_resident_number'),
  ...rows('123-45-67890|100-00-00001', 'birth_business_number'),
  [fullWidth('880101'), 'birth_format'],
  [['880101', '880101'], 'birth_format'],
  ['', 'birth_missing'],
  [undefined, 'birth_missing'],
])('the birth date or business number %p is refused as %s (H19)', (birth, problem) =>
  expect(read({ birth })).toEqual({ problems: { birth: problem } }),
);

test.each([
  ...rows('1|123|1a|1 2', 'pwd_2digit_format'),
  [fullWidth('12'), 'pwd_2digit_format'],
  [['12', '12'], 'pwd_2digit_format'],
  ['', 'pwd_2digit_missing'],
  [undefined, 'pwd_2digit_missing'],
])('the password digits %p are refused as %s (H20)', (pwd_2digit, problem) =>
  expect(read({ pwd_2digit })).toEqual({ problems: { pwd_2digit: problem } }),
);

const { birth, pwd_2digit, ...withoutBoth } = GOOD;
const CARD = { cardNumber: '4242-4242-4242-4242', expiry: '2030-12' };

test.each([
  ['neither birth date nor password digits', {}, {}],
  ['only a birth date', { birth }, { birth: '880228' }],
  ['only password digits', { pwd_2digit }, { pwd2digit: '12' }],
  ['both of them', { birth, pwd_2digit }, { birth: '880228', pwd2digit: '12' }],
])('a key-in payment may have %s (§4.3)', (_name, typed, parsed) =>
  expect(parseKeyInCard({ ...withoutBoth, ...typed }, NOW)).toStrictEqual({ card: { ...CARD, ...parsed } }),
);

test('a key-in payment is refused for fields that are typed wrongly or are not optional (§4.3)', () => {
  expect(parseKeyInCard({ expiry: '12/30', birth: '', pwd_2digit: '1' }, NOW)).toEqual({
    problems: {
      card_number: 'card_number_missing',
      birth: 'birth_missing',
      pwd_2digit: 'pwd_2digit_format',
    },
  });
});
