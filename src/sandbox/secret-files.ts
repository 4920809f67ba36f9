// A secret as a file: NAME_FILE is the path of a file with the value of NAME, as with the merchant, to which the same files can be
// given.

import { readFileSync } from 'node:fs';

const NAMES = [
  'SERVICE_KEY',
  'SERVICE_SECRET',
  'SERVICE_API_KEY',
  'WEBHOOK_SECRET',
  'SANDBOX_MERCHANT_API_KEY',
];
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder',
  EACCES: 'may not be read by this user',
};

/** The problems name the setting and no value. */
export function readSecretFiles(environment: NodeJS.ProcessEnv) {
  const settings = { ...environment };
  const problems = NAMES.flatMap((name) => {
    const path = environment[`${name}_FILE`];
    if (!path) return [];
    if (environment[name]) return [`${name}_FILE is set as well as ${name}: set one of them`];
    try {
      settings[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
      return settings[name] === '' ? [`${name}_FILE: the file is empty`] : [];
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      return [`${name}_FILE: the file ${REASONS[code] ?? `cannot be read (${code})`}`];
    }
  });
  return { settings, problems };
}
