// Secrets that take several values, and what is wrong with secrets in production. A problem names the setting and, where it
// has several values, which one of them; never the value.

import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The values of one secret: the first is used, all are accepted (docs/07-maintenance.md). */
export type Secrets = readonly [string, ...string[]];

/** Credentials that the sandbox accepts when nobody has set any. Refused in production. */
export const SANDBOX_CREDENTIALS = {
  SERVICE_KEY: 'sandbox_key',
  SERVICE_SECRET: 'sandbox_secret',
  SERVICE_API_KEY: 'sandbox_api_key',
} as const;

const SERVICE_SECRETS = ['SERVICE_KEY', 'SERVICE_SECRET', 'SERVICE_API_KEY'];
/** Ours, with several values each. */
const OWN_SECRETS = ['FORM_SECRET', 'MEMBER_SECRET', 'API_KEY', 'OPERATOR_PASSWORD'] as const;
const MIN_OWN_SECRET_LENGTH = 16;
const MAKE_ONE = 'openssl rand -base64 32';

/** The values of a setting that are separated by commas. An entry is empty where two commas stand side by side. */
export function splitValues(text: string): Secrets {
  const [first = '', ...others] = text.split(',').map((part) => part.trim());
  return [first, ...others];
}

/** An accepted old value is as good as the one in use, so each has to obey every rule. */
export function secretProblems(given: Record<string, string | undefined>): string[] {
  const settings = [...SERVICE_SECRETS, ...OWN_SECRETS].flatMap((name) => {
    const setting = given[name];
    if (setting === undefined) return [];
    const isOwn = OWN_SECRETS.some((own) => own === name);
    return [{ name, isOwn, values: isOwn ? splitValues(setting) : [setting] }];
  });
  const problems = settings.flatMap(({ name, isOwn, values }) =>
    values.flatMap((value, index) => {
      // An empty entry is refused everywhere, by config.ts.
      const problem = value === '' ? null : problemOf(value, isOwn);
      if (problem === null) return [];
      return [`${name}: ${values.length > 1 ? `value ${index + 1} ` : ''}${problem}`];
    }),
  );
  return [...problems, ...sharedProblems(settings)];
}

/** Whoever learns a value that two settings have can do what either of them allows. Each setting is named once. */
function sharedProblems(settings: readonly SecretSetting[]): string[] {
  return settings.flatMap((setting, index) => {
    const { values } = setting;
    const isShared = (value: string) => value !== '' && values.includes(value);
    const other = settings.slice(0, index).find((before) => before.values.some(isShared));
    return other
      ? [`${setting.name}: has a value of ${other.name}; make one of its own with: ${MAKE_ONE}`]
      : [];
  });
}

type SecretSetting = { name: string; values: readonly string[] };

function problemOf(value: string, isOwn: boolean): string | null {
  if ((Object.values(SANDBOX_CREDENTIALS) as string[]).includes(value))
    return 'is a credential of the sandbox; take the live one from the admin console';
  if (/^(change|replace|your|example|secret|password)/i.test(value))
    return 'is still an example value; set a real one';
  if (isOwn && value.length < MIN_OWN_SECRET_LENGTH)
    return `is shorter than ${MIN_OWN_SECRET_LENGTH} characters; make one with: ${MAKE_ONE}`;
  if (isOwn && /\s/.test(value)) return 'has white space in it; several values are separated by commas';
  if (isOwn && canBeGuessed(value))
    return `can be guessed: it repeats itself, counts up or is made of words that stand in examples; make one with: ${MAKE_ONE}`;
  return null;
}

const MIN_DIFFERENT_CHARACTERS = 7;
/** What has to be left when the words of examples are taken out. */
const MIN_OTHER_CHARACTERS = 8;
const WORDS_OF_EXAMPLES =
  /please|change|replace|insert|example|sample|default|dummy|test|secret|password|passwd|operator|admin|merchant|member|form|api|key|token|value|your|here|this|now|my|me|[^\p{L}\p{N}]/giu;
/** Neighbours of the alphabet, of the digits and of the keyboard. */
const SEQUENCES = 'abcdefghijklmnopqrstuvwxyz 01234567890 qwertyuiop asdfghjkl zxcvbnm';

/** No measure of chance: it finds what people write in the place of a secret. */
function canBeGuessed(value: string): boolean {
  const rest = value.replace(WORDS_OF_EXAMPLES, '');
  return (
    new Set(value).size < MIN_DIFFERENT_CHARACTERS ||
    repeatsItself(value) ||
    rest.length < MIN_OTHER_CHARACTERS ||
    isSequence(rest)
  );
}

/** Whether it is one part again and again, at least twice. */
function repeatsItself(value: string): boolean {
  for (let period = 1; period <= value.length / 2; period += 1)
    if (value.startsWith(value.slice(period))) return true;
  return false;
}

/** Whether half of its characters follow from the one before. */
function isSequence(value: string): boolean {
  const text = value.toLowerCase();
  const backwards = [...SEQUENCES].reverse().join('');
  let following = 0;
  for (let at = 1; at < text.length; at += 1) {
    const pair = text.slice(at - 1, at + 1);
    if (pair[0] === pair[1] || SEQUENCES.includes(pair) || backwards.includes(pair)) following += 1;
  }
  return following >= (text.length - 1) / 2;
}

type DevelopmentSecrets = Record<(typeof OWN_SECRETS)[number], string>;

/**
 * Our own secrets, so that nobody has to invent one before the first `npm start`: they are made once and kept beside
 * the data. They are never used in production, where config.ts demands real ones. Reads the secrets kept in a folder,
 * making those that are not there yet, readable by the owner alone.
 */
export function developmentSecrets(dataDir: string): DevelopmentSecrets {
  mkdirSync(dataDir, { recursive: true });
  return Object.fromEntries(
    OWN_SECRETS.map((name) => [
      name,
      keptSecret(join(dataDir, `${name.toLowerCase().replaceAll('_', '-')}.secret`)),
    ]),
  ) as DevelopmentSecrets;
}

function keptSecret(file: string): string {
  try {
    // 'wx' fails where the file exists, so that two processes starting at once agree on one secret.
    writeFileSync(file, randomBytes(24).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
}
