// Accounts of operators in a test: made in the rows, signed in by the form.

import crypto, { type ScryptOptions } from 'node:crypto';
import type { Role } from '../../../src/merchant/options/operator/operator-session';
import { createMemberBrowser, type Answer, type OperatorBrowser } from '../../support/browsers';
import type { World } from '../../support/world';

export const ACCOUNT_PASSWORD = 'tumble-orchid-of-the-tests';

/** With the cost of new passwords, each sign-in would take a third of a second of CPU. */
const LOW_COST = { N: 16, r: 8, p: 1 };

const HASH = (() => {
  const { N, r, p } = LOW_COST;
  const salt = Buffer.from('salt of the tests');
  const key = crypto.scryptSync(ACCOUNT_PASSWORD, salt, 32, LOW_COST);
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$');
})();

type Hashed = (error: Error | null, key: Buffer) => void;

/** New passwords, and those of unknown names, have the low cost too. That of production has its test in password.test.ts. */
export function usePasswordsOfLowCost(): void {
  const { scrypt } = crypto;
  const cheap = (password: string, salt: Buffer, length: number, _cost: ScryptOptions, done: Hashed) =>
    scrypt(password, salt, length, LOW_COST, done);
  beforeAll(() => void Object.assign(crypto, { scrypt: cheap }));
  afterAll(() => void Object.assign(crypto, { scrypt }));
}

export async function makeAccount(world: World, name: string, role: Role): Promise<void> {
  await world.rows.query(
    `insert into operators (name, role, password_hash, recovery_codes, created_at) values ($1, $2::operator_role, $3, '{}', $4)`,
    [name, role, HASH, world.clock.now()],
  );
}

/** Signs a new browser in, or not: see the answer. */
export async function signInAs(
  world: World,
  by: string,
  fields: { password?: string; code?: string } = {},
  headers: Record<string, string> = {},
): Promise<{ browser: OperatorBrowser; answer: Answer }> {
  const browser = createMemberBrowser(world);
  const form = { by, password: ACCOUNT_PASSWORD, code: '', ...fields };
  return { browser, answer: await browser.post('/operator/sign-in', form, headers) };
}
