// Card input is normalised where its meaning is clear. Otherwise it is refused with the problem of its field (§2.2).

import { execFileSync } from 'node:child_process';
import { parseCardInput, type CardProblems } from '../../../src/merchant/billing-keys/card-input';
import { fullWidth } from '../../support/cards';

const NOW = new Date('2026-11-21T00:00:00Z');
const GOOD = {
  card_number: '4242-4242-4242-4242',
  expiry: '12/30',
  birth: '880228',
  pwd_2digit: '12',
};
const read = (fields: object, now = NOW) => parseCardInput({ ...GOOD, ...fields }, now);
const problemsOf = (fields: object, now = NOW): CardProblems => {
  const input = read(fields, now);
  return 'problems' in input ? input.problems : {};
};
const cardOf = (fields: object, now = NOW) => {
  const input = read(fields, now);
  return 'card' in input ? input.card : input.problems;
};

test.each([
  '4242424242424242',
  '4242 4242 4242 4242',
  ' 4242-4242-4242-4242 ',
  '4242-424242424242',
  '4242.4242.4242.4242',
  // As long as a field may be.
  `4242424242424242${' '.repeat(16)}`,
])('the card number %p is normalised to XXXX-XXXX-XXXX-XXXX (H17)', (card_number) =>
  expect(cardOf({ card_number })).toMatchObject({ cardNumber: '4242-4242-4242-4242' }),
);

test.each([
  ['letters', '4242-4242-4242-424a', 'card_number_digits'],
  ['fifteen digits', '424242424242424', 'card_number_length'],
  ['seventeen digits', '42424242424242424', 'card_number_length'],
  ['full-width digits', fullWidth('4242424242424242'), 'card_number_digits'],
  ['Arabic digits', '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢', 'card_number_digits'],
  ['a zero-width space', '4242\u200b424242424242', 'card_number_digits'],
  ['a byte order mark at the end', '4242424242424242\ufeff', 'card_number_digits'],
  ['markup', '<b>4242</b>', 'card_number_digits'],
  ['one sign too much', `4242424242424242${' '.repeat(17)}`, 'card_number_digits'],
  ['far too much', '4'.repeat(16_000), 'card_number_digits'],
  ['nothing but spaces', '   ', 'card_number_missing'],
  ['nothing', '', 'card_number_missing'],
  ['no field', undefined, 'card_number_missing'],
  ['the field twice', ['4242424242424242', '4242424242424242'], 'card_number_digits'],
  ['an object', { not: '' }, 'card_number_digits'],
])('a card number with %s is a problem of its field (H17)', (_name, card_number, problem) => {
  expect(problemsOf({ card_number })).toEqual({ card_number: problem });
});

test('a number that fails Luhn is accepted, because the document has no such rule (H21)', () => {
  expect(cardOf({ card_number: '4242424242424241' })).toMatchObject({ cardNumber: '4242-4242-4242-4241' });
});

test.each([
  ['1230', '2030-12'],
  ['12/30', '2030-12'],
  ['12 / 2030', '2030-12'],
  ['2030-12', '2030-12'],
  ['1/30', '2030-01'],
  ['11/26', '2026-11'],
  ['11/46', '2046-11'],
  ['  12/30  ', '2030-12'],
  ['12   /   30', '2030-12'],
  ['12.30', '2030-12'],
  ['12-30', '2030-12'],
  ['1 - 30', '2030-01'],
  ['12/2030', '2030-12'],
  ['12.2030', '2030-12'],
  ['2030.12', '2030-12'],
  ['2030/12', '2030-12'],
])('the expiry %p means %s', (expiry, value) => expect(cardOf({ expiry })).toMatchObject({ expiry: value }));

test.each([
  ['2030-13', 'expiry_format'],
  ['2030-00', 'expiry_format'],
  ['30-01', 'expiry_format'],
  ['13/30', 'expiry_format'],
  ['0/30', 'expiry_format'],
  ['12/3', 'expiry_format'],
  ['123', 'expiry_format'],
  ['x2030-12', 'expiry_format'],
  ['2030-12x', 'expiry_format'],
  ['2030-123', 'expiry_format'],
  ['2030--12', 'expiry_format'],
  ['012/30', 'expiry_format'],
  ['x12/30', 'expiry_format'],
  ['12/30x', 'expiry_format'],
  ['12/030', 'expiry_format'],
  ['12    /30', 'expiry_format'],
  ['12/    30', 'expiry_format'],
  ['30.01', 'expiry_format'],
  ['2030 12', 'expiry_format'],
  ['2030.1', 'expiry_format'],
  ['12..30', 'expiry_format'],
  ['12,30', 'expiry_format'],
  ['01230', 'expiry_format'],
  ['12301', 'expiry_format'],
  [fullWidth('1230'), 'expiry_format'],
  ['10/26', 'expiry_past'],
  ['01/1999', 'expiry_past'],
  ['12/46', 'expiry_too_far'],
  ['', 'expiry_missing'],
  [undefined, 'expiry_missing'],
  [['12/30', '12/30'], 'expiry_format'],
])('the expiry %p is refused as %s (H18)', (expiry, problem) =>
  expect(problemsOf({ expiry })).toEqual({ expiry: problem }),
);

test('a month ends when it ends in Korea, nine hours before it ends in UTC (H18)', () => {
  const lastMoment = new Date('2026-11-30T14:59:59.999Z');
  const nextMoment = new Date('2026-11-30T15:00:00.000Z');
  expect(cardOf({ expiry: '11/26' }, lastMoment)).toMatchObject({ expiry: '2026-11' });
  expect(problemsOf({ expiry: '11/26' }, nextMoment)).toEqual({ expiry: 'expiry_past' });
  expect(problemsOf({ expiry: '12/46' }, lastMoment)).toEqual({ expiry: 'expiry_too_far' });
  expect(cardOf({ expiry: '12/46' }, nextMoment)).toMatchObject({ expiry: '2046-12' });
});

test.each(['UTC', 'Asia/Seoul', 'America/Los_Angeles', 'Pacific/Kiritimati'])(
  'on a host in %s a card is good to the last moment of its month in Korea, and past a moment later (H18)',
  (zone) => {
    // Node.js reads TZ once, so that each zone has a process of its own.
    const file = require.resolve('../../../src/merchant/billing-keys/card-input');
    const script = `
      const { parseCardInput } = require(${JSON.stringify(file)});
      const moments = ['2026-11-30T14:59:59.999Z', '2026-11-30T15:00:00.000Z', '2026-12-31T14:59:59.999Z', '2026-12-31T15:00:00.000Z'];
      const expiries = ['11/26', '12/26', '01/27', '11/46', '12/46'];
      const judge = (expiry, moment) => {
        const { card, problems } = parseCardInput({ ...${JSON.stringify(GOOD)}, expiry }, new Date(moment));
        return card ? card.expiry : problems.expiry;
      };
      const verdicts = moments.map((moment) => expiries.map((expiry) => judge(expiry, moment)));
      console.log(JSON.stringify([new Date(2026, 0, 1).getTimezoneOffset(), verdicts]));`;
    const environment = { PATH: process.env['PATH'], TZ: zone };
    const flags = ['--require', require.resolve('tsx/cjs'), '--eval', script];
    const [offset, verdicts] = JSON.parse(
      execFileSync(process.execPath, flags, { env: environment, encoding: 'utf8' }),
    ) as [number, string[][]];
    expect(offset).toBe(MINUTES_BEHIND_UTC[zone]);
    expect(verdicts).toEqual([
      ['2026-11', '2026-12', '2027-01', '2046-11', 'expiry_too_far'],
      ['expiry_past', '2026-12', '2027-01', '2046-11', '2046-12'],
      ['expiry_past', '2026-12', '2027-01', '2046-11', '2046-12'],
      ['expiry_past', 'expiry_past', '2027-01', '2046-11', '2046-12'],
    ]);
  },
);

/** In January, so that it is known that the process is in its zone. */
const MINUTES_BEHIND_UTC: Record<string, number> = {
  UTC: 0,
  'Asia/Seoul': -540,
  'America/Los_Angeles': 480,
  'Pacific/Kiritimati': -840,
};

test.each([
  ['880101', '880101'],
  ['000229', '000229'],
  ['1234567891', '1234567891'],
  ['123-45-67891', '1234567891'],
  ['110-81-41272', '1108141272'],
  ['  880101  ', '880101'],
  ['19880101', '880101'],
  ['88-01-01', '880101'],
  ['1988-01-01', '880101'],
  ['88.01.01', '880101'],
  ['1988/01/01', '880101'],
  ['88 01 01', '880101'],
  ['20000229', '000229'],
  ['2000-02-29', '000229'],
  ['123.45.67891', '1234567891'],
  ['123 45 67891', '1234567891'],
  // Its check digit is 9, and counted downwards it would be 1.
  ['100-00-00009', '1000000009'],
  // The tens of the ninth place count: 5 times 9 is 45.
  ['000-00-00091', '0000000091'],
  // The check digit of a sum that ends in 0 is 0.
  ['900-10-00000', '9001000000'],
])('the birth date or business number %p is taken as %s (H19)', (birth, value) =>
  expect(cardOf({ birth })).toMatchObject({ birth: value }),
);

test.each([
  ['880230', 'birth_date'],
  ['881301', 'birth_date'],
  ['880100', 'birth_date'],
  ['010229', 'birth_date'],
  ['8801011', 'birth_format'],
  ['88 0101', 'birth_format'],
  ['88-0101', 'birth_format'],
  ['88-01.01', 'birth_format'],
  ['88--01--01', 'birth_format'],
  ['1988-1-1', 'birth_format'],
  ['18880101', 'birth_format'],
  ['21000101', 'birth_format'],
  ['119880101', 'birth_format'],
  // 2000 had a 29 February and 1900 had none; without a century the day may be in either.
  ['19000229', 'birth_date'],
  ['1900-02-29', 'birth_date'],
  ['19880230', 'birth_date'],
  ['1988.13.01', 'birth_date'],
  ['x880101', 'birth_format'],
  ['880101x', 'birth_format'],
  ['1123-45-67891', 'birth_format'],
  ['123-45-678911', 'birth_format'],
  ['123--45-67891', 'birth_format'],
  [fullWidth('880101'), 'birth_format'],
  ['8801011234567', 'birth_format'],
  ['880001', 'birth_date'],
  ['880132', 'birth_date'],
  ['880431', 'birth_date'],
  ['123-45-67890', 'birth_business_number'],
  ['100-00-00001', 'birth_business_number'],
  ['', 'birth_missing'],
  [undefined, 'birth_missing'],
  [['880101', '880101'], 'birth_format'],
])('the birth date or business number %p is refused as %s (H19)', (birth, problem) =>
  expect(problemsOf({ birth })).toEqual({ birth: problem }),
);

test.each([
  ['1', 'pwd_2digit_format'],
  ['123', 'pwd_2digit_format'],
  ['1a', 'pwd_2digit_format'],
  ['1 2', 'pwd_2digit_format'],
  [fullWidth('12'), 'pwd_2digit_format'],
  ['', 'pwd_2digit_missing'],
  [undefined, 'pwd_2digit_missing'],
  [['12', '12'], 'pwd_2digit_format'],
])('the password digits %p are refused as %s (H20)', (pwd_2digit, problem) =>
  expect(problemsOf({ pwd_2digit })).toEqual({ pwd_2digit: problem }),
);
