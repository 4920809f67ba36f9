// Limits of the sign-in. Tries are counted across all processes before the password is compared, so that concurrent
// guesses cannot exceed a limit. A network counts as known for an account if the account has signed in from it: guesses
// from elsewhere do not lock the account's owner out there.

import { networksOf, type NetworkSize } from '../../platform/address-list';
import type { AttemptLimit } from '../../platform/card-limits';
import type { Context } from '../../platform/context';
import { addTo, countAttemptIn, forgetAttempts, keyOf, readBuckets } from '../../platform/limit-store';

/** Whose password is tried, and from where. `address`: null if unknown; those are counted together. */
export type Guess = { by: string; address: string | null };

/**
 * Wrong passwords per quarter of an hour: per IPv4 address or /64 of IPv6, per /56, and per /24 or /48. There is no
 * limit over all addresses: it would only let an attacker lock all operators out.
 */
const SIGN_IN_LIMITS: Record<NetworkSize, AttemptLimit> = {
  address: { attempts: 10, seconds: 15 * 60 },
  site: { attempts: 20, seconds: 15 * 60 },
  wide: { attempts: 30, seconds: 15 * 60 },
};
/** Of one account: from one network, and from all networks together that are not known. */
const ACCOUNT_LIMIT: AttemptLimit = { attempts: 10, seconds: 15 * 60 };
/** So many guesses of one network count for the account, so that one /24 or /48 alone cannot lock it elsewhere. */
const MOST_OF_A_NETWORK = 3;
const KNOWN_FOR = { seconds: 90 * 24 * 3600 };

const COUNTED_AS = 'operator';
const OF_NETWORK = 'operator-account';
const OF_STRANGERS = 'operator-strangers';
const KNOWN = 'operator-network';
const OWN_GUESSES = 'operator-own';

/** A counted guess, to be taken back if the password was right. */
export type CountedGuess = { accept(): Promise<void> };

/** @returns the seconds until another guess is allowed. @throws DatabaseError if it could not be counted */
export async function countGuess(
  context: Context,
  guess: Guess,
  withAccount: boolean,
): Promise<number | CountedGuess> {
  const networks = guess.address === null ? [UNKNOWN] : networksOf(guess.address);
  const counted = networks.map(({ size, network }) => ({
    limit: SIGN_IN_LIMITS[size],
    key: keyOf(context, COUNTED_AS, network),
  }));
  for (const { limit, key } of counted) {
    const retryAfterSeconds = await countAttemptIn(context, COUNTED_AS, limit, key);
    if (retryAfterSeconds !== null) return retryAfterSeconds;
  }
  const ofAccount = withAccount ? await countOnAccount(context, guess) : null;
  if (typeof ofAccount === 'number') return ofAccount;
  return {
    // Only failures count: a person who knows the password guesses nothing.
    async accept() {
      const [own, ...around] = counted;
      if (own) await forgetAttempts(context, COUNTED_AS, own.key);
      for (const { limit, key } of around) await addTo(context, COUNTED_AS, limit, key, -1);
      await ofAccount?.accept();
    },
  };
}

const UNKNOWN = { size: 'address', network: 'unknown' } as const;

/** Unknown names count alike. */
async function countOnAccount(context: Context, guess: Guess): Promise<number | CountedGuess> {
  const isKnown = await isKnownNetwork(context, guess);
  const ofNetwork = keyOf(context, OF_NETWORK, JSON.stringify([guess.by, networkFor(guess, isKnown)]));
  const ofStrangers = keyOf(context, OF_STRANGERS, guess.by);
  const own = await addTo(context, OF_NETWORK, ACCOUNT_LIMIT, ofNetwork, 1);
  if (own.points > ACCOUNT_LIMIT.attempts) return secondsUntil(context, own.endMs);
  const share = own.points <= MOST_OF_A_NETWORK ? 1 : 0;
  if (!isKnown) {
    const all = await addTo(context, OF_STRANGERS, ACCOUNT_LIMIT, ofStrangers, share);
    if (all.points > ACCOUNT_LIMIT.attempts) return secondsUntil(context, all.endMs);
  }
  return {
    async accept() {
      await forgetAttempts(context, OF_NETWORK, ofNetwork);
      if (!isKnown) await addTo(context, OF_STRANGERS, ACCOUNT_LIMIT, ofStrangers, -share);
      await rememberNetwork(context, guess);
    },
  };
}

/** Somebody in the same /24 or /48 shares the count, except with a network that is known. */
function networkFor({ address }: Guess, isKnown: boolean): string {
  const networks = address === null ? [UNKNOWN] : networksOf(address);
  return (isKnown ? networks[0] : networks.at(-1))?.network ?? '';
}

/** Whether this account has signed in from this IPv4 address or /64 of IPv6. No unknown name has. */
export async function isKnownNetwork(context: Context, guess: Guess): Promise<boolean> {
  if (guess.address === null) return false;
  const key = `${KNOWN}:${knownKey(context, guess)}`;
  const untilMs = (await readBuckets(context, [key])).get(key) ?? 0;
  return untilMs > context.realClock.now().getTime();
}

async function rememberNetwork(context: Context, guess: Guess): Promise<void> {
  if (guess.address === null) return;
  const key = knownKey(context, guess);
  await forgetAttempts(context, KNOWN, key);
  await addTo(context, KNOWN, KNOWN_FOR, key, 1);
}

function knownKey(context: Context, guess: Guess): string {
  return keyOf(context, KNOWN, JSON.stringify([guess.by, networkFor(guess, true)]));
}

function secondsUntil({ realClock }: Context, endMs: number): number {
  return Math.max(1, Math.ceil((endMs - realClock.now().getTime()) / 1000));
}

/**
 * A signed-in person who enters the own password again. Null if another try is allowed; else the seconds until then.
 * Guesses at the sign-in do not count here.
 */
export function countOwnGuess(context: Context, by: string): Promise<number | null> {
  return countAttemptIn(context, OWN_GUESSES, ACCOUNT_LIMIT, keyOf(context, OWN_GUESSES, by));
}

export function forgetOwnGuesses(context: Context, by: string): Promise<void> {
  return forgetAttempts(context, OWN_GUESSES, keyOf(context, OWN_GUESSES, by));
}
