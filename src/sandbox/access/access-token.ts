// Access tokens and their whole life (§5.4, §5.5). Nothing here keeps a token: it is derived from the secret and a
// random number, so neither memory nor the saved state holds one in clear.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const LIFETIME_SECONDS = 30 * 60;
const EXTENSION_SECONDS = 5 * 60;
const EXTENSION_WINDOW_SECONDS = 60;

/** What is kept of a token. `extended`: the five minutes are granted once, from the original expiry (§5.5). */
export type Issuance = { nonce: string; expiredAt: number; extended: boolean };

export type AccessTokens = {
  /** A new token, or the living one again; in its last minute with five more minutes (§5.5). */
  issue(): { access_token: string; now: number; expired_at: number };
  accepts(token: string): boolean;
  restore(issuance: Issuance | null): void;
};

export function createAccessTokens(
  secret: string,
  now: () => number,
  onChange: (issuance: Issuance) => void,
): AccessTokens {
  let current: Issuance | null = null;
  const living = () => (current && now() < current.expiredAt ? current : null);
  const tokenOf = (issuance: Issuance) => createHmac('sha256', secret).update(issuance.nonce).digest('hex');

  return {
    issue() {
      const issuance = extendInLastMinute(living() ?? newIssuance(now()), now());
      if (issuance !== current) onChange(issuance);
      current = issuance;
      return { access_token: tokenOf(issuance), now: now(), expired_at: issuance.expiredAt };
    },
    accepts(token) {
      const issuance = living();
      return issuance !== null && isSame(token, tokenOf(issuance));
    },
    restore: (issuance) => {
      current = issuance;
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

export function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
