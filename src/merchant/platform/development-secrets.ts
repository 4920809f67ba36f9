// Our own secrets, so that nobody has to invent one before the first `npm start`: they are made once and kept beside the
// data. They are never used in production, where config.ts demands real ones.

import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAMES = ['FORM_SECRET', 'MEMBER_SECRET', 'API_KEY', 'OPERATOR_PASSWORD'] as const;
export type DevelopmentSecrets = Record<(typeof NAMES)[number], string>;

/** Reads the secrets kept in a folder, making those that are not there yet, readable by the owner alone. */
export function developmentSecrets(dataDir: string): DevelopmentSecrets {
  mkdirSync(dataDir, { recursive: true });
  return Object.fromEntries(
    NAMES.map((name) => [
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
