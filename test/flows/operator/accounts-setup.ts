// Accounts of operators in a test: made in the rows, signed in by the form.

import { hashPassword } from '../../../src/merchant/options/operator/password';
import type { Role } from '../../../src/merchant/options/operator/roles';
import { createMemberBrowser, type Answer, type OperatorBrowser } from '../../support/browsers';
import type { World } from '../../support/world';

export const ACCOUNT_PASSWORD = 'tumble-orchid-of-the-tests';

let hash: Promise<string> | undefined;

export async function makeAccount(world: World, name: string, role: Role): Promise<void> {
  hash ??= hashPassword(ACCOUNT_PASSWORD);
  await world.rows.query(
    `insert into operators (name, role, password_hash, recovery_codes, created_at) values ($1, $2::operator_role, $3, '{}', $4)`,
    [name, role, await hash, world.clock.now()],
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
