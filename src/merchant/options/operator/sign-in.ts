// The sign-in of operators: with an account, or with OPERATOR_PASSWORD and any name until there is one. Tries are counted
// across all processes before the password is compared, so that concurrent guesses cannot exceed the limit.

import type { Operator } from '../../../generated/prisma/client';
import { networksOf, type NetworkSize } from '../../platform/address-list';
import type { AttemptLimit } from '../../platform/card-limits';
import type { Context } from '../../platform/context';
import { maskCardNumbers } from '../../platform/http/mask-card-numbers';
import { addTo, countAttemptIn, forgetAttempts, keyOf } from '../../platform/limit-store';
import type { CounterRows } from '../../platform/metrics';
import { findEqual } from '../../platform/secrets';
import { findAccount, hasAccounts, useRecoveryCode, useStep } from './account-store';
import { recordSession } from './audit';
import { openAccountSession, openPasswordSession } from './operator-session';
import { HASH_OF_NOTHING, isPassword } from './password';
import { decryptSecret, encryptSecret, findStep, hashRecoveryCode } from './second-factor';

export const operatorCounters = {
  signIns: {
    name: 'merchant_operator_sign_ins_total',
    help: 'Sign-ins to the operator pages by outcome: signed_in, wrong_password, too_many.',
    labels: ['outcome'],
    fromZero: [{ outcome: 'signed_in' }, { outcome: 'wrong_password' }, { outcome: 'too_many' }],
  },
} as const satisfies CounterRows;

/**
 * Wrong passwords per quarter of an hour: per IPv4 address or /64 of IPv6, per /56, and per /24 or /48. There is no
 * limit over all addresses: it would only let an attacker lock all operators out.
 */
const SIGN_IN_LIMITS: Record<NetworkSize, AttemptLimit> = {
  address: { attempts: 10, seconds: 15 * 60 },
  site: { attempts: 20, seconds: 15 * 60 },
  wide: { attempts: 30, seconds: 15 * 60 },
};
/** Of one account, over all networks. An attacker who knows a name can keep its owner out: our choice. */
const ACCOUNT_LIMIT: AttemptLimit = { attempts: 10, seconds: 15 * 60 };
const COUNTED_AS = 'operator';
const ACCOUNT_COUNTED_AS = 'operator-account';

type SignIn = {
  /** The name of the account; without accounts, the name recorded with this operator's decisions. */
  by: string;
  password: string;
  /** Of the authenticator app, or a recovery code; empty if the account has no second factor. */
  code: string;
  /** The browser's address; null if unknown: those are counted together. */
  address: string | null;
};

type SignInOutcome =
  | { kind: 'signed_in'; cookie: string }
  /** `withAccount`: name, password or code is wrong; the answer does not tell which. */
  | { kind: 'wrong_password'; withAccount: boolean }
  | { kind: 'too_many'; retryAfterSeconds: number };

/** @throws DatabaseError if the try could not be counted: the try is then not made */
export async function signIn(context: Context, attempt: SignIn): Promise<SignInOutcome> {
  const withAccount = await hasAccounts(context);
  const account = withAccount ? await findAccount(context, { name: attempt.by }) : null;
  const outcome = await tryToSignIn(context, attempt, { withAccount, account });
  const source = attempt.address;
  // Above the limits nothing is recorded: an attacker would otherwise fill the audit log.
  if (outcome.kind !== 'too_many') {
    // What was typed as the name may be a password, unless it is a name in use.
    const known = account?.name ?? (outcome.kind === 'signed_in' ? attempt.by : null);
    const sender = { by: known, accountId: account?.id ?? null, address: source };
    await recordSession(context, 'sign-in', sender, outcome.kind);
  }
  const by = maskCardNumbers(attempt.by);
  context.metrics.count(operatorCounters.signIns, { outcome: outcome.kind });
  if (outcome.kind === 'signed_in') context.logger.info({ event: 'operator_signed_in', by, source });
  else {
    // The password may have been typed into the name field.
    const isName = withAccount
      ? account !== null
      : findEqual(context.config.operatorPasswords, attempt.by) === null;
    const claimed = isName ? by : null;
    context.logger.warn({ event: 'operator_sign_in_failed', reason: outcome.kind, by: claimed, source });
  }
  return outcome;
}

type Known = { withAccount: boolean; account: Operator | null };

async function tryToSignIn(context: Context, attempt: SignIn, known: Known): Promise<SignInOutcome> {
  const { by, address } = attempt;
  const networks = address === null ? [UNKNOWN] : networksOf(address);
  const counted = networks.map(({ size, network }) => ({
    limit: SIGN_IN_LIMITS[size],
    key: keyOf(context, COUNTED_AS, network),
  }));
  for (const { limit, key } of counted) {
    const retryAfterSeconds = await countAttemptIn(context, COUNTED_AS, limit, key);
    if (retryAfterSeconds !== null) return { kind: 'too_many', retryAfterSeconds };
  }
  const retryAfterSeconds = known.withAccount ? await countOnAccount(context, by) : null;
  if (retryAfterSeconds !== null) return { kind: 'too_many', retryAfterSeconds };
  const cookie = known.withAccount
    ? await openWithAccount(context, attempt, known.account)
    : await openWithPassword(context, attempt);
  if (cookie === null) return { kind: 'wrong_password', withAccount: known.withAccount };
  // Only failures count: a person who knows the password guesses nothing.
  const [own, ...around] = counted;
  if (own) await forgetAttempts(context, COUNTED_AS, own.key);
  for (const { limit, key } of around) await addTo(context, COUNTED_AS, limit, key, -1);
  if (known.withAccount) await forgetOnAccount(context, by);
  return { kind: 'signed_in', cookie };
}

const UNKNOWN = { size: 'address', network: 'unknown' } as const;

async function openWithPassword(context: Context, { by, password: given }: SignIn): Promise<string | null> {
  const password = findEqual(context.config.operatorPasswords, given);
  return password === null ? null : openPasswordSession(context, by, password);
}

/** An unknown name takes as long as a wrong password. */
async function openWithAccount(
  context: Context,
  { password, code }: SignIn,
  account: Operator | null,
): Promise<string | null> {
  const isRight = await isPassword(password, account?.passwordHash ?? HASH_OF_NOTHING);
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

/** Null if another guess of this account's password is allowed; else the seconds until then. Unknown names count alike. */
export function countOnAccount(context: Context, name: string): Promise<number | null> {
  return countAttemptIn(context, ACCOUNT_COUNTED_AS, ACCOUNT_LIMIT, keyOf(context, ACCOUNT_COUNTED_AS, name));
}

export function forgetOnAccount(context: Context, name: string): Promise<void> {
  return forgetAttempts(context, ACCOUNT_COUNTED_AS, keyOf(context, ACCOUNT_COUNTED_AS, name));
}
