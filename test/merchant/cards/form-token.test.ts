// A form token is valid for one form of one member, for 15 minutes.

import { checkFormToken, issueFormToken, type FormSubject } from '../../../src/merchant/cards/form-token';
import type { Secrets } from '../../../src/merchant/secrets';

const SECRET = ['a secret for this test'] as const;
const NEWER = ['a newer secret of this test', ...SECRET] as const;
const SUBJECT: FormSubject = {
  customerUid: 'card_1',
  memberId: 'member_1',
  purpose: 'register',
  returnUrl: null,
};
const ISSUED = new Date('2026-11-21T00:00:00Z');
const minutesLater = (minutes: number) => new Date(ISSUED.getTime() + minutes * 60_000);

const token = issueFormToken(SECRET, SUBJECT, ISSUED);
const check = (subject: FormSubject, text: unknown, now = ISSUED) =>
  checkFormToken(SECRET, subject, text, now).result;

test('the token of this form is good for 15 minutes and expired after them (H3)', () => {
  expect(check(SUBJECT, token, minutesLater(15))).toBe('ok');
  expect(check(SUBJECT, token, new Date(minutesLater(15).getTime() + 1))).toBe('expired');
});

test('every form has a nonce of its own', () => {
  const [first, second] = [token, issueFormToken(SECRET, SUBJECT, ISSUED)].map((text) =>
    checkFormToken(SECRET, SUBJECT, text, ISSUED),
  );
  expect(first).toMatchObject({ result: 'ok', nonce: expect.stringMatching(/^[\w-]{24}$/) });
  expect(second).not.toEqual(first);
});

test.each<[string, Partial<FormSubject>]>([
  ['another customer_uid (H4)', { customerUid: 'card_2' }],
  ['another member (H6)', { memberId: 'member_2' }],
  ['another purpose', { purpose: 'replace' }],
  ['another return_url', { returnUrl: '/checkout' }],
])('a token for %s is forged', (_name, other) => {
  expect(check({ ...SUBJECT, ...other }, token)).toBe('forged');
});

test('a token for one return_url is forged for another, and for none', () => {
  const subject = { ...SUBJECT, returnUrl: '/checkout' };
  const signed = issueFormToken(SECRET, subject, ISSUED);
  expect(check(subject, signed)).toBe('ok');
  expect(check({ ...SUBJECT, returnUrl: '/other' }, signed)).toBe('forged');
  expect(check(SUBJECT, signed)).toBe('forged');
});

test('a token of another secret is forged, also when it is old', () => {
  const foreign = issueFormToken(['another secret'], SUBJECT, ISSUED);
  expect(check(SUBJECT, foreign, minutesLater(60))).toBe('forged');
});

test('while FORM_SECRET is rotated a token of either value is good, and it is made with the first (M25)', () => {
  const resultWith = (secrets: Secrets, text: string) =>
    checkFormToken(secrets, SUBJECT, text, ISSUED).result;
  expect(resultWith(NEWER, token)).toBe('ok');
  const newer = issueFormToken(NEWER, SUBJECT, ISSUED);
  expect(resultWith([NEWER[0]], newer)).toBe('ok');
  expect(resultWith(SECRET, newer)).toBe('forged');
  expect(resultWith([NEWER[0]], token)).toBe('forged');
});

test.each(['', 'x', undefined, null, 7, ['x'], {}, '..', 'a'.repeat(16_000)])('%p is forged', (text) => {
  expect(check(SUBJECT, text)).toBe('forged');
});

test('a token changed in any place is forged', () => {
  for (let index = 0; index < token.length; index += 1) {
    const changed =
      token.slice(0, index) +
      (token[index] === 'A' ? 'B' : token[index] === '1' ? '2' : 'A') +
      token.slice(index + 1);
    if (changed === token) continue;
    // The last character of base64url carries spare bits, so the comparison is on text, not on bytes.
    expect(check(SUBJECT, changed)).toBe('forged');
  }
});
