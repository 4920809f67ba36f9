// A form token is valid for one form of one member, for 15 minutes.

import {
  checkFormToken,
  issueFormToken,
  type FormSubject,
} from '../../../../src/merchant/core/cards/verify-form';
import type { Secrets } from '../../../../src/merchant/platform/secrets';

const SECRET = ['a secret for this test'] as const;
const NEWER = ['a newer secret of this test', ...SECRET] as const;
const SUBJECT: FormSubject = {
  customerUid: 'card_1',
  memberId: 'member_1',
  purpose: 'register',
  returnUrl: '/checkout',
};
const ISSUED = new Date('2026-11-21T00:00:00Z');
const minutesLater = (minutes: number) => new Date(ISSUED.getTime() + minutes * 60_000);

const token = issueFormToken(SECRET, SUBJECT, ISSUED);
const check = (text: unknown, now = ISSUED, subject = SUBJECT, secrets: Secrets = SECRET) => {
  const checked = checkFormToken(secrets, subject, text, now);
  if (checked === null) return 'forged';
  return checked.isExpired ? 'expired' : 'ok';
};

test('the token of a form is valid for 15 minutes (H3)', () => {
  expect(check(token, minutesLater(15))).toBe('ok');
  expect(check(token, new Date(minutesLater(15).getTime() + 1))).toBe('expired');
});

test.each<[string, Partial<FormSubject>]>([
  ['another customer_uid (H4)', { customerUid: 'card_2' }],
  ['another member (H6)', { memberId: 'member_2' }],
  ['another purpose', { purpose: 'replace' }],
  ['another return_url', { returnUrl: '/other' }],
  ['no return_url', { returnUrl: null }],
])('a token for %s is forged', (_name, other) => {
  const subject = { ...SUBJECT, ...other };
  expect(check(token, ISSUED, subject)).toBe('forged');
  expect(check(issueFormToken(SECRET, subject, ISSUED))).toBe('forged');
});

test('during a rotation of FORM_SECRET tokens of both values are valid, and new ones use the first (M25)', () => {
  const newer = issueFormToken(NEWER, SUBJECT, ISSUED);
  expect(check(token, ISSUED, SUBJECT, NEWER)).toBe('ok');
  expect(check(newer, ISSUED, SUBJECT, [NEWER[0]])).toBe('ok');
  // With another secret it is forged, also if it is old.
  expect(check(newer, minutesLater(60))).toBe('forged');
  expect(check(token, ISSUED, SUBJECT, [NEWER[0]])).toBe('forged');
});

test.each(['', 'x', undefined, null, 7, ['x'], {}, '..', 'a'.repeat(16_000)])('%p is forged', (text) => {
  expect(check(text)).toBe('forged');
});

test('a token that is changed in any place is forged', () => {
  for (const [index, character] of [...token].entries()) {
    const other = character === '1' ? '2' : '1';
    expect(check(token.slice(0, index) + other + token.slice(index + 1))).toBe('forged');
  }
});
