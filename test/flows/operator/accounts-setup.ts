// Accounts of operators in a test: made in the rows, signed in by the form.

import { scryptSync } from 'node:crypto';
import type { Role } from '../../../src/merchant/options/operator/frame/roles';
import { createMemberBrowser, type Answer, type OperatorBrowser } from '../../support/browsers';
import type { World } from '../../support/world';

export const ACCOUNT_PASSWORD = 'tumble-orchid-of-the-tests';

/** With a low cost of its own, because a command makes accounts with that of production. */
const HASH = (() => {
  const [N, r, p] = [16, 8, 1];
  const salt = Buffer.from('salt of the tests');
  const key = scryptSync(ACCOUNT_PASSWORD, salt, 32, { N, r, p });
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$');
})();

export async function makeAccount(world: World, name: string, role: Role): Promise<void> {
  await world.rows.query(
    `insert into operators (name, role, password_hash, recovery_codes, created_at) values ($1, $2::operator_role, $3, '{}', $4)`,
    [name, role, HASH, world.clock.now()],
  );
}

/** As if the person had changed a generated password to this one. */
export async function giveKnownPassword(world: World, name: string): Promise<void> {
  await world.rows.query('update operators set password_hash = $2, must_change = false where name = $1', [
    name,
    HASH,
  ]);
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
