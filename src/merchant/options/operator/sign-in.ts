// The sign-in of operators. Tries of a network are counted across all processes before the password is compared, so
// that concurrent guesses cannot exceed the limit.

import { networksOf, type NetworkSize } from '../../platform/address-list';
import type { AttemptLimit } from '../../platform/card-limits';
import type { Context } from '../../platform/context';
import { maskCardNumbers } from '../../platform/http/mask-card-numbers';
import { addTo, countAttemptIn, forgetAttempts, keyOf } from '../../platform/limit-store';
import type { CounterRows } from '../../platform/metrics';
import { findPassword, sessionCookie } from './operator-session';

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
 * limit over all addresses: with passwords of at least 16 characters, it would only let an attacker lock the operators
 * out.
 */
const SIGN_IN_LIMITS: Record<NetworkSize, AttemptLimit> = {
  address: { attempts: 10, seconds: 15 * 60 },
  site: { attempts: 20, seconds: 15 * 60 },
  wide: { attempts: 30, seconds: 15 * 60 },
};
const COUNTED_AS = 'operator';

type SignIn = {
  /** The name recorded with this operator's decisions. */
  by: string;
  password: string;
  /** The browser's address; null if unknown: those are counted together. */
  address: string | null;
};

type SignInOutcome =
  | { kind: 'signed_in'; cookie: string }
  | { kind: 'wrong_password' }
  | { kind: 'too_many'; retryAfterSeconds: number };

/** @throws DatabaseError if the try could not be counted: the try is then not made */
export async function signIn(context: Context, attempt: SignIn): Promise<SignInOutcome> {
  const outcome = await tryToSignIn(context, attempt);
  const source = attempt.address;
  const by = maskCardNumbers(attempt.by);
  context.metrics.count(operatorCounters.signIns, { outcome: outcome.kind });
  if (outcome.kind === 'signed_in') context.logger.info({ event: 'operator_signed_in', by, source });
  else {
    // The password may have been typed into the name field.
    const claimed = findPassword(context.config, attempt.by) === null ? by : null;
    context.logger.warn({ event: 'operator_sign_in_failed', reason: outcome.kind, by: claimed, source });
  }
  return outcome;
}

async function tryToSignIn(
  context: Context,
  { by, password: given, address }: SignIn,
): Promise<SignInOutcome> {
  const networks = address === null ? [UNKNOWN] : networksOf(address);
  const counted = networks.map(({ size, network }) => ({
    limit: SIGN_IN_LIMITS[size],
    key: keyOf(context, COUNTED_AS, network),
  }));
  for (const { limit, key } of counted) {
    const retryAfterSeconds = await countAttemptIn(context, COUNTED_AS, limit, key);
    if (retryAfterSeconds !== null) return { kind: 'too_many', retryAfterSeconds };
  }
  const password = findPassword(context.config, given);
  if (password === null) return { kind: 'wrong_password' };
  // Only failures count: a person who knows the password guesses nothing.
  const [own, ...around] = counted;
  if (own) await forgetAttempts(context, COUNTED_AS, own.key);
  for (const { limit, key } of around) await addTo(context, COUNTED_AS, limit, key, -1);
  const cookie = await sessionCookie(context.config, { by, password, now: context.clock.now() });
  return { kind: 'signed_in', cookie };
}

const UNKNOWN = { size: 'address', network: 'unknown' } as const;
