// Secrets as files: NAME_FILE is the path of a file with the value of NAME, as container engines and secret stores provide it.

import { readFileSync } from 'node:fs';

type Settings = Record<string, string | undefined>;

export const fileSettingOf = (name: string): string => `${name}_FILE`;

/** A certificate or a list of settings is longer than any secret. */
const MOST_BYTES = 8_192;
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'names a file that does not exist',
  ENOTDIR: 'names a file that does not exist',
  EACCES: 'names a file that this user may not read',
  EPERM: 'names a file that this user may not read',
  EISDIR: 'names a folder; name the file in it',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'names a file that is not text in UTF-8',
};

/**
 * Replaces each NAME_FILE by NAME with the content of the file. A NAME_FILE with a problem stays, so that it is found
 * again; the problems name the setting and no value.
 * @param names the settings that hold a secret
 */
export function readSecretFiles(
  given: Readonly<Settings>,
  names: readonly string[],
): {
  settings: Settings;
  problems: string[];
} {
  const settings = { ...given };
  const problems: string[] = [];
  for (const name of names) {
    const fileSetting = fileSettingOf(name);
    const path = given[fileSetting]?.trim();
    if (!path) continue;
    if (given[name]?.trim()) {
      problems.push(`${fileSetting}: is set as well as ${name}; set one of them`);
      continue;
    }
    const { value, problem } = readSecret(path);
    if (problem !== null) problems.push(`${fileSetting}: ${problem}`);
    else {
      settings[name] = value;
      delete settings[fileSetting];
    }
  }
  return { settings, problems };
}

function readSecret(path: string): { value: string; problem: string | null } {
  const failed = (problem: string) => ({ value: '', problem });
  try {
    const bytes = readFileSync(path);
    if (bytes.length > MOST_BYTES) return failed('names a file that is too large for one secret');
    // Editors and `echo` end a file with one line end. More of them are refused below, in config.ts.
    const value = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '');
    return value.trim() === '' ? failed('names a file that is empty') : { value, problem: null };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return failed(REASONS[code] ?? `names a file that cannot be read (${code})`);
  }
}
