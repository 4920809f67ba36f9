// The checks of secrets in production. A problem names the setting and, if it has several values, the position of the value;
// never the value.

import { z } from 'zod';
import type { FeatureSettings, Given } from './settings';

const MIN_OWN_SECRET_LENGTH = 16;
/** The service makes them; a part of one was copied, or a placeholder. */
const MIN_SERVICE_SECRET_LENGTH = 8;
const MIN_DIFFERENT_OF_SERVICE = 4;
const MAKE_ONE = 'openssl rand -base64 32';

/** Every value is accepted, the old ones too, so each must obey every rule. */
export function secretProblems(all: readonly FeatureSettings[], given: Given): string[] {
  const named = (kind: 'serviceSecrets' | 'ownSecrets') =>
    all.flatMap((settings) => (settings[kind] ?? []).map((name) => ({ name, settings, kind })));
  const sandboxValues = all.flatMap((settings) => Object.values(settings.sandboxValues ?? {}));
  const found = [...named('serviceSecrets'), ...named('ownSecrets')].flatMap(({ name, settings, kind }) => {
    const text = given[name];
    if (text === undefined) return [];
    // A value that its rule refuses has been reported.
    const { data } = z.safeParse(settings.shape[name] ?? z.never(), text);
    const values = Array.isArray(data) ? (data as string[]) : [text];
    return [{ name, values, isOwn: kind === 'ownSecrets' }];
  });
  const problems = found.flatMap(({ name, values, isOwn }) =>
    values.flatMap((value, index) => {
      const problem = sandboxValues.includes(value)
        ? 'is a credential of the sandbox; take the live one from the admin console'
        : problemOf(value, isOwn);
      if (problem === null) return [];
      return [`${name}: ${values.length > 1 ? `value ${index + 1} ` : ''}${problem}`];
    }),
  );
  return [...problems, ...sharedProblems(found)];
}

/** A value shared by two settings would grant the rights of both. Each setting is reported once. */
function sharedProblems(settings: readonly SecretSetting[]): string[] {
  return settings.flatMap((setting, index) => {
    const { values } = setting;
    const isShared = (value: string) => value !== '' && values.includes(value);
    const other = settings.slice(0, index).find((before) => before.values.some(isShared));
    return other
      ? [`${setting.name}: has the same value as ${other.name}; make another one with: ${MAKE_ONE}`]
      : [];
  });
}

type SecretSetting = { name: string; values: readonly string[] };

function problemOf(value: string, isOwn: boolean): string | null {
  if (/^(change|replace|your|example|secret|password)/i.test(value))
    return 'is still an example value; set a real one';
  if (!isOwn && (value.length < MIN_SERVICE_SECRET_LENGTH || new Set(value).size < MIN_DIFFERENT_OF_SERVICE))
    return 'is too short for a credential of the service; take the whole value from the admin console';
  if (isOwn && value.length < MIN_OWN_SECRET_LENGTH)
    return `is shorter than ${MIN_OWN_SECRET_LENGTH} characters; make one with: ${MAKE_ONE}`;
  if (isOwn && /\s/.test(value)) return 'contains white space; separate several values by commas';
  if (isOwn && canBeGuessed(value))
    return `can be guessed: it is a repetition, a sequence or made of words; make one with: ${MAKE_ONE}`;
  return null;
}

const MIN_DIFFERENT_CHARACTERS = 7;
/** Characters that must be left after the example words are removed. */
const MIN_OTHER_CHARACTERS = 8;
const EXAMPLE_WORDS =
  'please change replace insert example sample default dummy test secret password passwd operator admin ' +
  'merchant member form api key token value your here this now my me';
/** It reads our own settings, and no text from outside. */
const WORDS_OF_EXAMPLES = new RegExp(`${EXAMPLE_WORDS.replaceAll(' ', '|')}|[^\\p{L}\\p{N}]`, 'giu');
/** Sequences of the alphabet, the digits and the keyboard. */
const SEQUENCES = 'abcdefghijklmnopqrstuvwxyz 01234567890 qwertyuiop asdfghjkl zxcvbnm';

/** Not a measure of entropy: it recognises typical placeholder values. */
function canBeGuessed(value: string): boolean {
  const rest = value.replace(WORDS_OF_EXAMPLES, '');
  return (
    new Set(value).size < MIN_DIFFERENT_CHARACTERS ||
    repeatsItself(value) ||
    rest.length < MIN_OTHER_CHARACTERS ||
    isSequence(rest) ||
    isOfWords(value)
  );
}

/** A random value has digits or capitals in its middle. A passphrase of words needs four of them, in about this length. */
function isOfWords(value: string): boolean {
  const isLong = value.length >= LEAST_OF_A_PASSPHRASE;
  return (
    !isLong && /^[\d\W_]*([A-Z]?[a-z]{2,}|[A-Z]{3,})([\W_]?([A-Z]?[a-z]{2,}|[A-Z]{3,}))*[\d\W_]*$/.test(value)
  );
}
const LEAST_OF_A_PASSPHRASE = 28;

/** Whether the value is one part repeated at least twice. */
function repeatsItself(value: string): boolean {
  for (let period = 1; period <= value.length / 2; period += 1)
    if (value.startsWith(value.slice(period))) return true;
  return false;
}

/** Whether at least half of the characters follow from the one before. */
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
