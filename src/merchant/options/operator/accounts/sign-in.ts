// The sign-in of operators: with an account, or with OPERATOR_PASSWORD and any name until there is one.

import type { Operator } from '../../../../generated/prisma/client';
import { stateOf, type Context } from '../../../platform/context';
import { HttpError } from '../../../platform/errors';
import type { SentFrom } from '../../../platform/http/log-fields';
import { maskCardNumbers } from '../../../platform/http/mask-card-numbers';
import type { CounterRows } from '../../../platform/metrics';
import { findEqual } from '../../../platform/secrets';
import { settingsOf } from '../../../platform/settings';
import { operatorSettings } from '../settings';
import { recordSession } from './audit';
import { accountErrors } from './errors';
import { hashOfNothing, isPassword, MOST_HASHES_WAITING } from './password';
import { decryptSecret, encryptSecret, findStep, hashRecoveryCode } from './second-factor';
import { openAccountSession, openPasswordSession } from './session';
import { countGuess, isKnownNetwork } from './sign-in-limits';
import { findAccount, hasAccounts, useRecoveryCode, useStep } from './store';

export const operatorCounters = {
  signIns: {
    name: 'merchant_operator_sign_ins_total',
    help: 'Sign-ins to the operator pages by outcome: signed_in, wrong_password, too_many.',
    labels: ['outcome'],
    fromZero: [{ outcome: 'signed_in' }, { outcome: 'wrong_password' }, { outcome: 'too_many' }],
  },
} as const satisfies CounterRows;

/**
 * Sign-ins that this process handles at one time. Each takes a third of a second of CPU, and any more would only wait.
 * They are refused before the database is asked, so that nothing else waits for a flood of them.
 */
const MOST_AT_ONCE = 8;
/** More of them from networks that are known for the account, which a flood from elsewhere must not keep out. */
const MOST_AT_ONCE_KNOWN = MOST_HASHES_WAITING;
/** Questions whether a network is known, at one time. */
const MOST_LOOKUPS = 4;

/** How many of both this process handles now. */
const createLoad = () => ({ signIns: 0, lookups: 0 });

type SignIn = {
  /** The name of the account; without accounts, the name recorded with this operator's decisions. */
  by: string;
  password: string;
  /** Of the authenticator app, or a recovery code; empty if the account has no second factor. */
  code: string;
  /** The browser's address; null if unknown: those are counted together. */
  address: string | null;
  sent: SentFrom;
};

type SignInOutcome =
  | { kind: 'signed_in'; cookie: string }
  /** `withAccount`: name, password or code is wrong; the answer does not tell which. */
  | { kind: 'wrong_password'; withAccount: boolean }
  /** `isBusy`: not for wrong passwords, but because too many sign-ins are in progress. */
  | { kind: 'too_many'; isBusy: boolean; retryAfterSeconds: number };

/** @throws DatabaseError if the try could not be counted: the try is then not made */
export async function signIn(context: Context, attempt: SignIn): Promise<SignInOutcome> {
  const load = stateOf(context, createLoad);
  // Nothing is awaited between the check and the count, so that no two take one place.
  if (load.signIns >= MOST_AT_ONCE && !(await mayTakeKnownPlace(context, attempt)))
    return refuseBusy(context, attempt);
  load.signIns += 1;
  try {
    return await signInRecorded(context, attempt);
  } catch (error) {
    if (error instanceof HttpError && error.definition === BUSY) return refuseBusy(context, attempt);
    throw error;
  } finally {
    load.signIns -= 1;
  }
}

/** Whether it may take one of the places for known networks. A flood causes few statements here. */
async function mayTakeKnownPlace(context: Context, attempt: SignIn): Promise<boolean> {
  const load = stateOf(context, createLoad);
  if (load.signIns >= MOST_AT_ONCE_KNOWN || load.lookups >= MOST_LOOKUPS) return false;
  load.lookups += 1;
  try {
    return (await isKnownNetwork(context, attempt)) && load.signIns < MOST_AT_ONCE_KNOWN;
  } catch {
    // Nobody signs in without the database.
    return false;
  } finally {
    load.lookups -= 1;
  }
}

const BUSY = accountErrors.passwords_busy;

/** Counted and logged, and not in the audit log, which costs a write. */
function refuseBusy(context: Context, { sent }: SignIn): SignInOutcome {
  context.metrics.count(operatorCounters.signIns, { outcome: 'too_many' });
  context.logger.warn({ event: 'operator_sign_in_failed', reason: 'busy', by: null, ...sent });
  return { kind: 'too_many', isBusy: true, retryAfterSeconds: BUSY.retryAfterSeconds ?? 1 };
}

async function signInRecorded(context: Context, attempt: SignIn): Promise<SignInOutcome> {
  const withAccount = await hasAccounts(context);
  const account = withAccount ? await findAccount(context, { name: attempt.by }) : null;
  const outcome = await tryToSignIn(context, attempt, { withAccount, account });
  // Above the limits nothing is recorded: an attacker would otherwise fill the audit log. The counter has them.
  if (outcome.kind !== 'too_many') {
    // What was typed as the name may be a password, unless it is a name in use.
    const known = account?.name ?? (outcome.kind === 'signed_in' ? attempt.by : null);
    const sender = { by: known, accountId: account?.id ?? null, sent: attempt.sent };
    await recordSession(context, 'sign-in', sender, outcome.kind);
  }
  const by = maskCardNumbers(attempt.by);
  context.metrics.count(operatorCounters.signIns, { outcome: outcome.kind });
  if (outcome.kind === 'signed_in') context.logger.info({ event: 'operator_signed_in', by, ...attempt.sent });
  else {
    // The password may have been typed into the name field.
    const isName = withAccount
      ? account !== null
      : findEqual(settingsOf(context.config, operatorSettings).OPERATOR_PASSWORD, attempt.by) === null;
    const facts = { reason: outcome.kind, by: isName ? by : null, ...attempt.sent };
    context.logger.warn({ event: 'operator_sign_in_failed', ...facts });
  }
  return outcome;
}

type Known = { withAccount: boolean; account: Operator | null };

async function tryToSignIn(context: Context, attempt: SignIn, known: Known): Promise<SignInOutcome> {
  const counted = await countGuess(context, attempt, known.withAccount);
  if (typeof counted === 'number') return { kind: 'too_many', isBusy: false, retryAfterSeconds: counted };
  const cookie = known.withAccount
    ? await openWithAccount(context, attempt, known.account)
    : await openWithPassword(context, attempt);
  if (cookie === null) return { kind: 'wrong_password', withAccount: known.withAccount };
  await counted.accept();
  return { kind: 'signed_in', cookie };
}

async function openWithPassword(context: Context, { by, password: given }: SignIn): Promise<string | null> {
  const password = findEqual(settingsOf(context.config, operatorSettings).OPERATOR_PASSWORD, given);
  return password === null ? null : openPasswordSession(context, by, password);
}

/** An unknown name takes as long as a wrong password. */
async function openWithAccount(
  context: Context,
  { password, code }: SignIn,
  account: Operator | null,
): Promise<string | null> {
  const isRight = await isPassword(
    password,
    account?.passwordHash ?? hashOfNothing(settingsOf(context.config, operatorSettings).passwordCost),
  );
  if (!isRight || account === null || account.disabledAt !== null) return null;
  if (account.totpSecret !== null && !(await acceptCode(context, account, account.totpSecret, code)))
    return null;
  return openAccountSession(context, account);
}

/** Each code is accepted once. */
async function acceptCode(
  context: Context,
  account: Operator,
  totpSecret: string,
  code: string,
): Promise<boolean> {
  const typed = code.replace(/\s/g, '');
  const secret = decryptSecret(context.config, account.id, totpSecret);
  if (secret === null)
    // A person has to reset the account. A recovery code still signs in.
    context.logger.error({ event: 'operator_second_factor_unreadable', name: account.name });
  const last = account.totpLastStep === null ? null : Number(account.totpLastStep);
  const step = secret && findStep(secret, typed, context.realClock.now(), last);
  if (secret === null || step === null) return useRecoveryCode(context, account.id, hashRecoveryCode(typed));
  // With the first value of FORM_SECRET, so that its older values can be removed.
  return useStep(context, account, step, encryptSecret(context.config, account.id, secret));
}
