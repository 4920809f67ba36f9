// What changes accounts of operators, for the pages and the command. Passwords and recovery codes are returned once.

import { z } from 'zod';
import type { Operator } from '../../../../generated/prisma/client';
import type { Context } from '../../../platform/context';
import { HttpError } from '../../../platform/errors';
import { shownLine, strictBody } from '../../../platform/http/body-fields';
import type { SentFrom } from '../../../platform/http/log-fields';
import { maskCardNumbers } from '../../../platform/http/mask-card-numbers';
import { settingsOf } from '../../../platform/settings';
import { ROLES, type Role } from '../frame/roles';
import { operatorSettings } from '../settings';
import { accountErrors } from './errors';
import {
  generatePassword,
  hashPassword,
  isPassword,
  passwordProblem,
  type PasswordProblem,
} from './password';
import { encryptSecret, findStep, hashRecoveryCode, newRecoveryCodes, secretsOf } from './second-factor';
import { changeAccount, deleteSessionsOf, findAccount, insertAccount, type AccountChange } from './store';

/** Who changes an account. */
export type Author = {
  by: string;
  /** Null: with OPERATOR_PASSWORD, or by the command, whose user can do anything. */
  accountId: bigint | null;
  /** For the log. Absent for the command. */
  sent?: SentFrom;
};

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
async function choosePassword({ config }: Context, name: string, given: string | undefined) {
  const problem = given === undefined ? null : passwordProblem(given, name);
  if (problem) return problem;
  const password = given ?? generatePassword();
  const stored = {
    passwordHash: await hashPassword(password, settingsOf(config, operatorSettings).passwordCost),
    mustChange: given === undefined,
  };
  return { password, stored };
}

/**
 * @param password generated if absent
 * @throws HttpError `role_missing` if it must be the first account, and is not
 */
export async function addAccount(
  context: Context,
  {
    name,
    role,
    password,
    mustBeFirst = false,
  }: z.output<typeof newAccountSchema> & { password?: string; mustBeFirst?: boolean },
  author: Author,
): Promise<{ account: Operator; password: string } | NotChanged> {
  const chosen = await choosePassword(context, name, password);
  if (typeof chosen === 'string') return chosen;
  const account = await insertAccount(context, { name, role, ...chosen.stored }, { ...author, mustBeFirst });
  if (account === 'not_first') throw new HttpError(accountErrors.role_missing);
  if (typeof account === 'string') return account;
  log(context, author, { action: 'add', name, role });
  return { account, password: chosen.password };
}

export async function setRole(
  context: Context,
  name: string,
  role: Role,
  author: Author,
): Promise<Operator | NotChanged> {
  return change(context, author, name, { role }, { action: 'role', role });
}

/** It cannot sign in any more, and its sessions end. Of an account that was disabled before, the first time stays. */
export async function disableAccount(
  context: Context,
  name: string,
  author: Author,
): Promise<Operator | NotChanged> {
  const before = await findAccount(context, { name });
  const disabledAt = before?.disabledAt ?? context.realClock.now();
  return change(context, author, name, { disabledAt }, { action: 'disable' });
}

/** A new password, no second factor; an account that was disabled can sign in again. */
export async function resetAccount(
  context: Context,
  name: string,
  author: Author,
  password?: string,
): Promise<{ account: Operator; password: string } | NotChanged> {
  const chosen = await choosePassword(context, name, password);
  if (typeof chosen === 'string') return chosen;
  const withoutSecondFactor = { totpSecret: null, totpLastStep: null, recoveryCodes: [] };
  const fresh = { ...chosen.stored, disabledAt: null, ...withoutSecondFactor };
  const account = await change(context, author, name, fresh, { action: 'reset' });
  return typeof account === 'string' ? account : { account, password: chosen.password };
}

/** Ends the sessions of an account. It can sign in again. */
export async function endSessions(
  context: Context,
  name: string,
  author: Author,
): Promise<Operator | NotChanged> {
  const account = await findAccount(context, { name });
  if (!account) return 'not_found';
  await deleteSessionsOf(context, name);
  log(context, author, { action: 'end_sessions', name });
  return account;
}

/** A person with a session, and the own account. */
type Owner = Author & { session: string | null };

/** A person changes the own password. The session in which it happens stays, the others end. */
export async function changeOwnPassword(
  context: Context,
  owner: Owner,
  { current, next }: { current: string; next: string },
): Promise<Operator | NotChanged | 'wrong_password' | 'not_new'> {
  const name = owner.by;
  const account = await findAccount(context, { name });
  if (!account) return 'not_found';
  if (!(await isPassword(current, account.passwordHash))) return 'wrong_password';
  const problem = passwordProblem(next, name);
  if (problem) return problem;
  if (next === current) return 'not_new';
  const { passwordCost } = settingsOf(context.config, operatorSettings);
  const changes = { passwordHash: await hashPassword(next, passwordCost), mustChange: false };
  return change(context, owner, name, changes, { action: 'own_password' }, owner.session);
}

/**
 * Stores the second factor of a person that has none yet, confirmed by a code.
 * @returns the recovery codes; null if the code is wrong, or there is a second factor already
 */
export async function setUpSecondFactor(
  context: Context,
  owner: Owner,
  code: string,
): Promise<string[] | null> {
  const name = owner.by;
  const account = await findAccount(context, { name });
  if (!account || account.totpSecret !== null) return null;
  const now = context.realClock.now();
  const secret = secretsOf(context.config, account).find((each) => findStep(each, code, now, null) !== null);
  const step = secret && findStep(secret, code, now, null);
  if (secret === undefined || step == null) return null;
  const codes = newRecoveryCodes();
  const changes = {
    totpSecret: encryptSecret(context.config, account.id, secret),
    totpLastStep: BigInt(step),
    recoveryCodes: codes.map(hashRecoveryCode),
  };
  const changed = await change(context, owner, name, changes, { action: 'second_factor' }, owner.session);
  return typeof changed === 'string' ? null : codes;
}

type Logged = { action: string; role?: Role };

async function change(
  context: Context,
  author: Author,
  name: string,
  changes: AccountChange,
  logged: Logged,
  exceptSession: string | null = null,
): Promise<Operator | 'not_found' | 'last_admin'> {
  const account = await changeAccount(context, name, changes, { author, exceptSession });
  if (typeof account !== 'string') log(context, author, { ...logged, name });
  return account;
}

function log({ logger }: Context, { by, sent }: Author, fields: Logged & { name: string }): void {
  logger.info({ event: 'operator_account_changed', ...fields, by, ...sent });
}
