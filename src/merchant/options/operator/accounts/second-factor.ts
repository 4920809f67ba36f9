// The second factor of an operator account: the encrypted secret, recovery codes for a lost telephone, and the codes of an
// authenticator app: TOTP (RFC 6238) with SHA-1, six digits and steps of 30 seconds, which every app knows.

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import qrcode from 'qrcode-generator';
import type { Operator } from '../../../../generated/prisma/client';
import type { Config } from '../../../platform/config';
import { hashOfToken } from '../../../platform/secrets';

type Keys = Pick<Config, 'formSecrets'>;

/** RFC 4226, section 4: 160 bits are recommended. */
const SECRET_BYTES = 20;

/**
 * The secrets that an account may be set up with, one for each value of FORM_SECRET, the current one first. They stay the same
 * until the password changes, so that a page that is opened again shows the same one, and nothing is stored before it is
 * confirmed.
 */
export function secretsOf({ formSecrets }: Keys, account: Pick<Operator, 'id' | 'passwordHash'>): Buffer[] {
  const info = `${boundTo(account.id).toString()} ${account.passwordHash}`;
  return formSecrets.map((each) =>
    Buffer.from(hkdfSync('sha256', each, '', `operator-second-factor-secret ${info}`, SECRET_BYTES)),
  );
}

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
  return hashOfToken(code.replace(/[\s-]/g, '').toUpperCase());
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

const STEP_SECONDS = 30;
const DIGITS = 6;
/** Steps before and after the current one whose code is accepted: the clock of a telephone may be wrong. */
const TOLERANCE = 1;

export function stepAt(now: Date): number {
  return Math.floor(now.getTime() / 1000 / STEP_SECONDS);
}

/** @param step number of whole steps since 1970 */
export function codeAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  // RFC 4226, section 5.3: the last four bits say where the number begins.
  const offset = mac.readUInt8(mac.length - 1) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** Returns the step of the code; null if it is wrong, or its step is not after `lastStep`. */
export function findStep(secret: Buffer, code: string, now: Date, lastStep: number | null): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const current = stepAt(now);
  for (let step = current - TOLERANCE; step <= current + TOLERANCE; step += 1) {
    if (lastStep !== null && step <= lastStep) continue;
    if (timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(code))) return step;
  }
  return null;
}

/** As SVG, for a page. @param text of ASCII, such as an encoded URI */
export function qrCode(text: string): string {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  return code.createSvgTag({ cellSize: 4, margin: 16, scalable: true });
}

/** The address that an app reads, by hand or as a QR code. */
export function otpauthUri(secret: Buffer, { issuer, name }: { issuer: string; name: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(name)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648, without padding. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => ALPHABET[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}
