// The encrypted secret of a second factor, recovery codes, and who needs a second factor.

import { randomBytes } from 'node:crypto';
import { missingFirst } from '../../../../src/merchant/options/operator/accounts/guard-routes';
import {
  decryptSecret,
  encryptSecret,
  hashRecoveryCode,
  newRecoveryCodes,
} from '../../../../src/merchant/options/operator/accounts/second-factor';

const KEYS = { formSecrets: ['a secret in use'] } as const;

test('a secret is decrypted for its account alone, and not after a change', () => {
  const secret = randomBytes(20);
  const encrypted = encryptSecret(KEYS, 7n, secret);
  expect(decryptSecret(KEYS, 7n, encrypted)).toEqual(secret);
  expect(decryptSecret(KEYS, 8n, encrypted)).toBeNull();
  const changed = `${encrypted.slice(0, -2)}${encrypted.endsWith('AA') ? 'BB' : 'AA'}`;
  for (const text of [changed, '', 'A'.repeat(90)]) expect(decryptSecret(KEYS, 7n, text)).toBeNull();
  expect(encryptSecret(KEYS, 7n, secret)).not.toBe(encrypted);
});

test('each value of FORM_SECRET decrypts until it is removed', () => {
  const encrypted = encryptSecret(KEYS, 7n, randomBytes(20));
  expect(decryptSecret({ formSecrets: ['the new one', ...KEYS.formSecrets] }, 7n, encrypted)).not.toBeNull();
  expect(decryptSecret({ formSecrets: ['the new one'] }, 7n, encrypted)).toBeNull();
});

test('recovery codes are different, and recognised however they are typed', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
  const [code = ''] = codes;
  expect(hashRecoveryCode(` ${code.toLowerCase().replaceAll('-', ' ')}`)).toBe(hashRecoveryCode(code));
});

describe('in production an account without second factor', () => {
  const account = { accountId: 1n, hasSecondFactor: false, mustChangePassword: false, session: 'x' };
  const needs = (change: object, path: string, production = true) =>
    missingFirst({ production }, { ...account, ...change }, path) === 'second_factor_missing';

  test('opens only its own account, and signs out', () => {
    const paths = ['/operator', '/operator/payments/1/refund', '/operator/me', '/operator/me/second-factor'];
    expect(paths.map((path) => needs({}, path))).toEqual([true, true, false, false]);
    expect(needs({}, '/operator/sign-out')).toBe(false);
    expect(needs({}, '/operator/members')).toBe(true);
  });

  test('is free elsewhere: outside production, with one, without account, behind a proxy that signs in', () => {
    expect(needs({}, '/operator', false)).toBe(false);
    for (const change of [{ hasSecondFactor: true }, { accountId: null }, { session: null }])
      expect(needs(change, '/operator')).toBe(false);
  });
});
