// What `npm start` reads from the environment: which parts it starts and on which ports.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

export type Environment = Record<string, string | undefined>;

export type LocalSettings = {
  dataDir: string;
  merchantPort: number;
  /** Null if SERVICE_BASE_URL names a service: then no sandbox is started. */
  sandboxPort: number | null;
  /** Null if the embedded PostgreSQL is to be started. */
  databaseUrl: string | null;
};

/** Variables of the process precede those of `.env`. A blank value counts as not set. */
export function loadEnvironment(folder: string): Environment {
  const file = join(folder, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
  return Object.fromEntries(Object.entries(process.env).filter(([, value]) => value?.trim()));
}

/** In production the merchant runs alone: no part is added, no secret is generated and no migration is applied. */
export function isProduction(environment: Environment): boolean {
  const mode = environment['NODE_ENV'] ?? 'development';
  // The merchant refuses it as well, but only after everything else has been started and secrets have been made.
  if (!['production', 'development', 'test'].includes(mode))
    throw new Error('NODE_ENV must be "production", "development" or "test".');
  return mode === 'production';
}

export function readLocalSettings(environment: Environment): LocalSettings {
  return {
    dataDir: resolve(environment['DATA_DIR'] ?? '.data'),
    merchantPort: portFrom(environment, 'PORT', 3000),
    sandboxPort: environment['SERVICE_BASE_URL'] ? null : portFrom(environment, 'SANDBOX_PORT', 4010),
    databaseUrl: environment['DATABASE_URL'] ?? null,
  };
}

export type LogFormat = 'pretty' | 'json';

/** Lines for people on a terminal, and JSON for programs elsewhere; LOG_FORMAT overrides it. */
export function readLogFormat(environment: Environment, output: { isTTY?: boolean }): LogFormat {
  const format = environment['LOG_FORMAT'] ?? (output.isTTY === true ? 'pretty' : 'json');
  if (format === 'pretty' || format === 'json') return format;
  throw new Error('LOG_FORMAT must be "pretty" or "json".');
}

function portFrom(environment: Environment, name: string, fallback: number): number {
  const port = Number(environment[name] ?? fallback);
  if (Number.isInteger(port) && port > 0 && port < 65536) return port;
  throw new Error(`${name} must be a port between 1 and 65535.`);
}
