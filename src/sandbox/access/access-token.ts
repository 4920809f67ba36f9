// Access tokens and their lifetime (§5.4, §5.5). No token is stored: each is derived from the secret and a random
// number, so neither memory nor the saved state holds one in clear.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const LIFETIME_SECONDS = 30 * 60;
const EXTENSION_SECONDS = 5 * 60;
const EXTENSION_WINDOW_SECONDS = 60;

/** What is stored of a token. `extended`: the five minutes are granted once, from the original expiry (§5.5). */
export type Issuance = { nonce: string; expiredAt: number; extended: boolean };

export type AccessTokens = {
  /** Returns a new token, or the valid one again; in its last minute with five more minutes (§5.5). */
  issue(): { access_token: string; now: number; expired_at: number };
  accepts(token: string): boolean;
  restore(issuance: Issuance | null): void;
};

/** `onChange` is called with every new or extended issuance. */
export function createAccessTokens(
  secret: string,
  now: () => number,
  onChange: (issuance: Issuance) => void,
): AccessTokens {
  let latest: Issuance | null = null;
  // One that was issued before the clock was put back would be valid until that date.
  const valid = () => {
    const restSeconds = (latest?.expiredAt ?? 0) - now();
    return restSeconds > 0 && restSeconds <= LIFETIME_SECONDS + EXTENSION_SECONDS ? latest : null;
  };
  const tokenOf = (issuance: Issuance) => createHmac('sha256', secret).update(issuance.nonce).digest('hex');

  return {
    issue() {
      const issuance = extendInLastMinute(valid() ?? newIssuance(now()), now());
      if (issuance !== latest) onChange(issuance);
      latest = issuance;
      return { access_token: tokenOf(issuance), now: now(), expired_at: issuance.expiredAt };
    },
    accepts(token) {
      const issuance = valid();
      return issuance !== null && isSameSecret(token, tokenOf(issuance));
    },
    restore: (issuance) => {
      latest = issuance;
    },
  };
}

function newIssuance(now: number): Issuance {
  return { nonce: randomBytes(16).toString('hex'), expiredAt: now + LIFETIME_SECONDS, extended: false };
}

function extendInLastMinute(issuance: Issuance, now: number): Issuance {
  if (issuance.extended || issuance.expiredAt - now > EXTENSION_WINDOW_SECONDS) return issuance;
  return { ...issuance, expiredAt: issuance.expiredAt + EXTENSION_SECONDS, extended: true };
}

/** Compares in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
