// The second factor of an operator account: the encrypted secret, and recovery codes for a lost telephone.

import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { Config } from '../../platform/config';
import { base32 } from './totp';

type Keys = Pick<Config, 'formSecrets'>;

/** RFC 4226, section 4: 160 bits are recommended. */
export const newSecret = (): Buffer => randomBytes(20);

/**
 * AES-256-GCM, with a key derived from the first value of FORM_SECRET, so that the database alone does not give the
 * codes. Bound to the account: in the row of another one it cannot be decrypted.
 */
export function encryptSecret({ formSecrets: [first] }: Keys, accountId: bigint, secret: Buffer): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyFrom(first), nonce).setAAD(boundTo(accountId));
  const encrypted = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url');
}

/** Accepts every value of FORM_SECRET. Returns null for a text that `encryptSecret` has not made with one of them. */
export function decryptSecret({ formSecrets }: Keys, accountId: bigint, text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length <= 28) return null;
  for (const each of formSecrets) {
    const decipher = createDecipheriv('aes-256-gcm', keyFrom(each), bytes.subarray(0, 12), {
      authTagLength: 16,
    });
    decipher.setAAD(boundTo(accountId)).setAuthTag(bytes.subarray(12, 28));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
    } catch {
      // Encrypted with another value.
    }
  }
  return null;
}

const RECOVERY_CODES = 10;

/** For the person, once. Each has 80 random bits and signs in once, in place of a code of the app. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => inGroups(base32(randomBytes(10))));
}

export function hashRecoveryCode(code: string): string {
  return createHash('sha256').update(code.replace(/[\s-]/g, '').toUpperCase()).digest('hex');
}

/** In groups of four, as a person types it. */
export function inGroups(text: string): string {
  return text.replace(/(.{4})(?=.)/g, '$1-');
}

function keyFrom(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'operator-second-factor', 32));
}

function boundTo(accountId: bigint): Buffer {
  return Buffer.from(`operator ${accountId}`);
}
