// Secrets with several values, what they sign, and those that are generated outside production.

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The values of one secret: the first is used, all are accepted (docs/07-maintenance.md). */
export type Secrets = readonly [string, ...string[]];

/** The comma-separated values of a setting. Two adjacent commas give an empty entry. */
export function splitValues(text: string): Secrets {
  const [first = '', ...others] = text.split(',').map((part) => part.trim());
  return [first, ...others];
}

/**
 * The value that equals the given text; null if none does. Each is compared in constant time, and all of them, so that
 * the time does not tell which one matched.
 */
export function findEqual(secrets: Secrets, given: string): string | null {
  const equal = secrets.filter((secret) => timingSafeEqual(digest(given), digest(secret)));
  return equal[0] ?? null;
}

/** 43 characters that can stand in a URL, a form and a cookie. @param text begins with what it is, and is unambiguous */
export function sign(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url');
}

export function isSignedWith(secret: string, text: string, signature: string): boolean {
  return findEqual([sign(secret, text)], signature) !== null;
}

/** As it is stored: a random token of 80 bits and more needs no salt and no slow function. */
export const hashOfToken = (token: string): string => digest(token).toString('hex');

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/**
 * One of our own secrets for development, so that the first `npm start` needs no settings. It is read from the data folder,
 * or made there, readable only by the owner. Never used in production, where config.ts requires real secrets.
 */
export function developmentSecret(dataDir: string, name: string): string {
  mkdirSync(dataDir, { recursive: true });
  return keptSecret(join(dataDir, `${name.toLowerCase().replaceAll('_', '-')}.secret`));
}

function keptSecret(file: string): string {
  try {
    // 'wx' fails if the file exists, so that two processes starting at once agree on one secret.
    writeFileSync(file, randomBytes(24).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
}
