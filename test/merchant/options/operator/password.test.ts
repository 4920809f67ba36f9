// Passwords of operators: the stored hash, and the ones that are refused.

import {
  generatePassword,
  hashOfNothing,
  hashPassword,
  isPassword,
  passwordProblem,
} from '../../../../src/merchant/options/operator/accounts/password';
import { operatorSettings } from '../../../../src/merchant/options/operator/settings';
import { settingsOf } from '../../../../src/merchant/platform/settings';
import { loadConfig } from '../../../../src/merchant/settings';
import { TEST_ENVIRONMENT } from '../../../support/config';

const PASSWORD = '긴 비밀번호 하나 둘 é';
/** Shared, because each hash takes a third of a second of CPU. */
let hash: string;
let cheapHash: string;
const { passwordCost } = settingsOf(loadConfig(TEST_ENVIRONMENT), operatorSettings);
const cheapCost = { ...passwordCost, N: 16 };
beforeAll(async () => {
  hash = await hashPassword(PASSWORD, passwordCost);
  cheapHash = await hashPassword(PASSWORD, cheapCost);
});

test('the right password is recognised, in each form of Unicode, and no other one', async () => {
  expect(hash).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
  expect(await isPassword(PASSWORD.normalize('NFD'), hash)).toBe(true);
  expect(await isPassword(PASSWORD, cheapHash)).toBe(true);
  expect(await isPassword('긴 비밀번호 하나 둘 e', cheapHash)).toBe(false);
});

test('one password has another hash each time, and the parameters are read from the hash', async () => {
  expect(await hashPassword(PASSWORD, cheapCost)).not.toBe(cheapHash);
  const cheaper = hash.replace('$32768$', '$16$');
  expect(await isPassword(PASSWORD, cheaper)).toBe(false);
});

test('the hash for unknown names has the parameters of a real one, and no password', async () => {
  const parameters = (hash: string) => hash.split('$').slice(0, 4);
  const ofNothing = hashOfNothing(passwordCost);
  expect(parameters(ofNothing)).toEqual(parameters(hash));
  expect(ofNothing).toHaveLength(hash.length);
  expect(await isPassword('', hashOfNothing(cheapCost))).toBe(false);
});

test.each([
  ['elevenchars', 'too_short'],
  ['password1234', 'too_common'],
  ['Pass-Word-2026!', 'too_common'],
  ['1234567890123', 'too_common'],
  ['qwertyuiop[]12', 'too_common'],
  ['aaaaaaaaaaaaaaaa', 'too_common'],
  // Of a list of common passwords: whole, with digits and signs around it, in capitals, and twice.
  ['polniypizdec0211', 'too_common'],
  ['Mailcreated-5240', 'too_common'],
  ['123-Liverpool-2026', 'too_common'],
  ['liverpool.liverpool', 'too_common'],
  ['Chelsea!Chelsea!1', 'too_common'],
  ['kim-hana-2026', 'has_name'],
  ['KIM-HANAkim-hana', 'has_name'],
  ['kim-hana likes oolong tea', null],
  ['a password for the tea shop', null],
  ['tumble-orchid-42', null],
  ['liverpool likes oolong tea', null],
])('%s: %p', (password, problem) => {
  expect(passwordProblem(password, 'kim-hana')).toBe(problem);
});

test('a generated password is accepted, and another one each time', () => {
  const [one, other] = [generatePassword(), generatePassword()];
  expect(passwordProblem(one, 'kim')).toBeNull();
  expect(one).not.toBe(other);
});
