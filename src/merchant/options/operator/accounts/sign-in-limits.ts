// Limits of the sign-in. Tries are counted across all processes before the password is compared, so that concurrent
// guesses cannot exceed a limit. A network counts as known for an account if the account has signed in from it: guesses
// from elsewhere do not lock the account's owner out there.

import { networksOf, type NetworkSize } from '../../../platform/address-list';
import type { Context } from '../../../platform/context';
import {
  addTo,
  bucketOf,
  countTry,
  empty,
  findFull,
  type AttemptLimit,
  type Bucket,
} from '../../../platform/limit-store';

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
/** How many guesses of one network count for the account: one /24 or /48 alone must not lock it elsewhere. */
const SHARE_OF_A_NETWORK: AttemptLimit = { attempts: 3, seconds: 15 * 60 };
/** The bucket is full while the network is known. */
const KNOWN_FOR: AttemptLimit = { attempts: 1, seconds: 90 * 24 * 3600 };

/** A counted guess, to be taken back if the password was right. */
export type CountedGuess = { accept(): Promise<void> };

/**
 * Unknown names count like those of accounts.
 * @returns the seconds until another guess is allowed. @throws DatabaseError if it could not be counted
 */
export async function countGuess(
  context: Context,
  guess: Guess,
  withAccount: boolean,
): Promise<number | CountedGuess> {
  const [own, ...around] = networksOfGuess(guess).map(({ size, network }) =>
    bucketOf(context, 'guesses-network', SIGN_IN_LIMITS[size], network),
  ) as [Bucket, ...Bucket[]];
  const { ofNetwork, ofStrangers } = withAccount
    ? await accountBuckets(context, guess)
    : { ofNetwork: [], ofStrangers: [] };
  const full = await countTry(context, [own, ...around, ...ofNetwork]);
  if (full) return full.retryAfterSeconds;
  const notCounted = await countTry(context, ofStrangers);
  if (notCounted?.isLock) return notCounted.retryAfterSeconds;
  return {
    // Only failures count: a person who knows the password guesses nothing.
    async accept() {
      for (const bucket of [own, ...ofNetwork]) await empty(context, bucket);
      await addTo(context, notCounted ? around : [...around, ...ofStrangers], -1);
      if (withAccount) await rememberNetwork(context, guess);
    },
  };
}

/**
 * `ofStrangers`: the lock of the account for unknown networks, and this network's share of it. Once the share is used
 * up, further guesses of the network are limited by `ofNetwork` alone. No bucket for a known network.
 */
async function accountBuckets(context: Context, guess: Guess) {
  const isKnown = await isKnownNetwork(context, guess);
  const inNetwork = JSON.stringify([guess.by, networkFor(guess, isKnown)]);
  const lock = bucketOf(context, 'guesses-strangers', ACCOUNT_LIMIT, guess.by);
  const share = bucketOf(context, 'guesses-share', SHARE_OF_A_NETWORK, inNetwork);
  return {
    ofNetwork: [bucketOf(context, 'guesses-account', ACCOUNT_LIMIT, inNetwork)],
    ofStrangers: isKnown
      ? []
      : [
          { ...lock, isLock: true },
          { ...share, isLock: false },
        ],
  };
}

function networksOfGuess({ address }: Guess) {
  return address === null ? [UNKNOWN] : networksOf(address);
}

const UNKNOWN = { size: 'address', network: 'unknown' } as const;

/** Somebody in the same /24 or /48 shares the count, except with a network that is known. */
function networkFor(guess: Guess, isKnown: boolean): string {
  const networks = networksOfGuess(guess);
  return (isKnown ? networks[0] : networks.at(-1))?.network ?? '';
}

/** Whether this account has signed in from this IPv4 address or /64 of IPv6. No unknown name has. */
export async function isKnownNetwork(context: Context, guess: Guess): Promise<boolean> {
  if (guess.address === null) return false;
  return (await findFull(context, [knownNetwork(context, guess)])).length > 0;
}

async function rememberNetwork(context: Context, guess: Guess): Promise<void> {
  if (guess.address === null) return;
  const known = knownNetwork(context, guess);
  await empty(context, known);
  await addTo(context, [known], 1);
}

function knownNetwork(context: Context, guess: Guess): Bucket {
  return bucketOf(
    context,
    'operator-network',
    KNOWN_FOR,
    JSON.stringify([guess.by, networkFor(guess, true)]),
  );
}

/**
 * A signed-in person who enters the own password again. Whether another try is allowed. Guesses at the sign-in do not
 * count here.
 */
export async function mayGuessOwn(context: Context, by: string): Promise<boolean> {
  return (await countTry(context, [ownGuesses(context, by)])) === null;
}

export function forgetOwnGuesses(context: Context, by: string): Promise<void> {
  return empty(context, ownGuesses(context, by));
}

function ownGuesses(context: Context, by: string): Bucket {
  return bucketOf(context, 'guesses-own', ACCOUNT_LIMIT, by);
}
