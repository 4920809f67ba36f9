// Passwords of operator accounts: the stored form (scrypt), and which ones are refused.

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { dictionary } from '@zxcvbn-ts/language-common';
import { HttpError } from '../../../platform/errors';
import { accountErrors } from './errors';

/** The parameters of scrypt. */
type Cost = { N: number; r: number; p: number };
const KEY_BYTES = 32;

/**
 * Passwords are hashed one at a time. Each hash occupies one of the four threads of libuv, which also look up host names
 * and compute the sign-in to PostgreSQL: four hashes at once would stop every new connection. This is
 * the maximum number of hashes that wait.
 */
export const MOST_HASHES_WAITING = 12;
export const passwordHashes = takeTurns(MOST_HASHES_WAITING);

/** One task runs, a few wait for it, and any more are refused. */
export function takeTurns(mostWaiting: number) {
  let last: Promise<unknown> = Promise.resolve();
  /** The one that runs, and those that wait. */
  let count = 0;
  return {
    /** Null, without running the task, if too many wait. @throws what the task throws */
    async run<Result>(task: () => Promise<Result>): Promise<Result | null> {
      if (count > mostWaiting) return null;
      count += 1;
      const mine = last.then(task);
      // The next one runs also if this one fails.
      last = mine.catch(() => undefined);
      try {
        return await mine;
      } finally {
        count -= 1;
      }
    },
  };
}

/** `scrypt$N$r$p$salt$key`, so that the parameters can change and older hashes still be checked. @throws HttpError `passwords_busy` */
export async function hashPassword(password: string, cost: Cost): Promise<string> {
  const salt = randomBytes(16);
  return stored(salt, await derive(password, salt, cost), cost);
}

/** In constant time for one set of parameters. @throws HttpError `passwords_busy` */
export async function isPassword(given: string, hash: string): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = hash.split('$');
  const expected = Buffer.from(key, 'base64url');
  const derived = await derive(given, Buffer.from(salt, 'base64url'), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  });
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}

/** No password has this hash. Checking it for an unknown name takes as long as for a known one. */
export const hashOfNothing = (cost: Cost): string => stored(SALT_OF_NOTHING, Buffer.alloc(KEY_BYTES), cost);
const SALT_OF_NOTHING = randomBytes(16);

/** 120 random bits. */
export function generatePassword(): string {
  return randomBytes(15).toString('base64url');
}

const MIN_PASSWORD_LENGTH = 12;

export type PasswordProblem = 'too_short' | 'too_common' | 'has_name';

/** Why a new password is refused; null if it is accepted. Length counts more than kinds of characters. */
export function passwordProblem(password: string, name: string): PasswordProblem | null {
  if ([...password].length < MIN_PASSWORD_LENGTH) return 'too_short';
  const lower = password.toLowerCase();
  const letters = lower.replace(/[^\p{L}\p{N}]/gu, '');
  if (COMMON.some((word) => letters === word || letters.replaceAll(word, '').length < MIN_REST))
    return 'too_common';
  if (isCommon(letters)) return 'too_common';
  if (new Set(lower).size < MIN_DIFFERENT) return 'too_common';
  const own = name.toLowerCase();
  return lower.includes(own) && lower.replaceAll(own, '').length < MIN_REST ? 'has_name' : null;
}

/** Characters that must be left without a common word, or the operator's name. */
const MIN_REST = 8;
const MIN_DIFFERENT = 5;
/** What most common passwords of at least 12 characters begin with. `isCommon` has whole ones. */
const COMMON = [
  'password',
  'passw0rd',
  '1234567890',
  '0987654321',
  '123123123',
  'qwertyuiop',
  'qwerty123',
  '1q2w3e4r5t',
  'q1w2e3r4t5',
  '1qaz2wsx3edc',
  'qazwsxedc',
  'asdfghjkl',
  'zxcvbnm',
  'abcdefgh',
  'administrator',
  'operator',
  'letmein',
  'welcome',
  'iloveyou',
  'changeme',
];

/**
 * The most common passwords of published leaks, 49,000 of them, from the package, so nothing is asked elsewhere. Made at the
 * first use: most processes need no new password.
 */
let known: ReadonlySet<string> | undefined;

/**
 * Whether it is a common password, alone or several times, with or without digits at its ends.
 * @param letters in lower case, letters and digits alone
 */
function isCommon(letters: string): boolean {
  known ??= new Set(dictionary['passwords-common']);
  const forms = [letters, letters.replace(/^\d+|\d+$/g, '')];
  return forms.some((form) => known?.has(form) || known?.has(repeatedPart(form)));
}

/** The shortest part of which a text is a repetition; the text itself if it is none. */
function repeatedPart(text: string): string {
  for (let length = 1; length <= text.length / 2; length += 1)
    if (text.length % length === 0 && text.startsWith(text.slice(length))) return text.slice(0, length);
  return text;
}

function stored(salt: Buffer, key: Buffer, { N, r, p }: Cost): string {
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** The same characters may be typed in several forms of Unicode: all count as one. */
async function derive(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  const options = { ...cost, maxmem: 256 * cost.N * cost.r };
  const key = await passwordHashes.run(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, derived) => {
          if (error) reject(error);
          else resolve(derived);
        });
      }),
  );
  if (key === null) throw new HttpError(accountErrors.passwords_busy);
  return key;
}
