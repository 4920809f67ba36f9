// What changes accounts of operators, for the pages and the command. Passwords and recovery codes are returned once.

import { z } from 'zod';
import type { Operator } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import { shownLine, strictBody } from '../../platform/http/body-fields';
import { maskCardNumbers } from '../../platform/http/mask-card-numbers';
import {
  changeAccount,
  deleteSessionsOf,
  findAccount,
  insertAccount,
  type AccountChange,
} from './account-store';
import { ROLES, type Role } from './operator-session';
import {
  generatePassword,
  hashPassword,
  isPassword,
  passwordProblem,
  type PasswordProblem,
} from './password';
import { decryptSecret, encryptSecret, findStep, hashRecoveryCode, newRecoveryCodes } from './second-factor';

const NAME_LENGTH = 64;

export const newAccountSchema = strictBody({
  name: shownLine(NAME_LENGTH).refine(
    (name) => maskCardNumbers(name) === name,
    'must not look like a card number',
  ),
  role: z.enum(ROLES),
});

/** `not_admin`: the first account must have the role admin. `last_admin`: nobody could manage accounts afterwards. */
export type NotChanged = 'taken' | 'not_admin' | 'not_found' | 'last_admin' | PasswordProblem;

/** The given password, or a new one: the person who hands that on knows it, so it must be changed. */
async function choosePassword(name: string, given: string | undefined) {
  const problem = given === undefined ? null : passwordProblem(given, name);
  if (problem) return problem;
  const password = given ?? generatePassword();
  const stored = { passwordHash: await hashPassword(password), mustChange: given === undefined };
  return { password, stored };
}

/**
 * @param password generated if absent
 * @param by who adds it, for the log
 */
export async function addAccount(
  context: Context,
  { name, role, password }: z.output<typeof newAccountSchema> & { password?: string },
  by: string,
): Promise<{ account: Operator; password: string } | NotChanged> {
  const chosen = await choosePassword(name, password);
  if (typeof chosen === 'string') return chosen;
  const account = await insertAccount(context, { name, role, ...chosen.stored });
  if (typeof account === 'string') return account;
  log(context, { action: 'add', name, role, by });
  return { account, password: chosen.password };
}

export async function setRole(
  context: Context,
  name: string,
  role: Role,
  by: string,
): Promise<Operator | NotChanged> {
  return change(context, name, { role }, { action: 'role', role, by });
}

/** It cannot sign in any more, and its sessions end. Of an account that was disabled before, the first time stays. */
export async function disableAccount(
  context: Context,
  name: string,
  by: string,
): Promise<Operator | NotChanged> {
  const before = await findAccount(context, { name });
  const disabledAt = before?.disabledAt ?? context.realClock.now();
  return change(context, name, { disabledAt }, { action: 'disable', by });
}

/** A new password, no second factor; an account that was disabled can sign in again. */
export async function resetAccount(
  context: Context,
  name: string,
  by: string,
  password?: string,
): Promise<{ account: Operator; password: string } | NotChanged> {
  const chosen = await choosePassword(name, password);
  if (typeof chosen === 'string') return chosen;
  const withoutSecondFactor = { totpSecret: null, totpLastStep: null, recoveryCodes: [] };
  const fresh = { ...chosen.stored, disabledAt: null, ...withoutSecondFactor };
  const account = await change(context, name, fresh, { action: 'reset', by });
  return typeof account === 'string' ? account : { account, password: chosen.password };
}

/** Ends the sessions of an account. It can sign in again. */
export async function endSessions(
  context: Context,
  name: string,
  by: string,
): Promise<Operator | NotChanged> {
  const account = await findAccount(context, { name });
  if (!account) return 'not_found';
  await deleteSessionsOf(context, name);
  log(context, { action: 'end_sessions', name, by });
  return account;
}

/** A person changes the own password. The session in which it happens stays, the others end. */
export async function changeOwnPassword(
  context: Context,
  { name, current, next, session }: { name: string; current: string; next: string; session: string | null },
): Promise<Operator | NotChanged | 'wrong_password' | 'not_new'> {
  const account = await findAccount(context, { name });
  if (!account) return 'not_found';
  if (!(await isPassword(current, account.passwordHash))) return 'wrong_password';
  const problem = passwordProblem(next, name);
  if (problem) return problem;
  if (next === current) return 'not_new';
  const passwordHash = await hashPassword(next);
  return change(
    context,
    name,
    { passwordHash, mustChange: false },
    { action: 'own_password', by: name },
    session,
  );
}

/**
 * Stores the second factor of a person that has none yet, confirmed by a code.
 * @param encrypted the secret, as `encryptSecret` returned it
 * @returns the recovery codes; null if the code is wrong, or there is a second factor already
 */
export async function setUpSecondFactor(
  context: Context,
  {
    name,
    encrypted,
    code,
    session,
  }: { name: string; encrypted: string; code: string; session: string | null },
): Promise<string[] | null> {
  const account = await findAccount(context, { name });
  if (!account || account.totpSecret !== null) return null;
  const secret = decryptSecret(context.config, account.id, encrypted);
  const step = secret && findStep(secret, code, context.realClock.now(), null);
  if (secret === null || step === null) return null;
  const codes = newRecoveryCodes();
  const changed = await change(
    context,
    name,
    {
      totpSecret: encryptSecret(context.config, account.id, secret),
      totpLastStep: BigInt(step),
      recoveryCodes: codes.map(hashRecoveryCode),
    },
    { action: 'second_factor', by: name },
    session,
  );
  return typeof changed === 'string' ? null : codes;
}

type Logged = { action: string; by: string; role?: Role };

async function change(
  context: Context,
  name: string,
  changes: AccountChange,
  logged: Logged,
  exceptSession: string | null = null,
): Promise<Operator | 'not_found' | 'last_admin'> {
  const account = await changeAccount(context, name, changes, exceptSession);
  if (typeof account !== 'string') log(context, { ...logged, name });
  return account;
}

function log({ logger }: Context, fields: Logged & { name: string }): void {
  logger.info({ event: 'operator_account_changed', ...fields });
}
