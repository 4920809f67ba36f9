// The settings of `npm start` from the environment: the parts to start and their ports.

import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withoutBlanks } from '../merchant/platform/config';
import { loadEnvFile } from '../merchant/platform/env-file';
import { readSecretFiles } from '../merchant/platform/secret-files';

export type Environment = Record<string, string | undefined>;

/** The first of several values of a setting is the active one. Empty if it is not set. */
export function activeValue(values = ''): string {
  return values.split(',', 1)[0]?.trim() ?? '';
}

export type LocalSettings = {
  dataDir: string;
  merchantPort: number;
  /** Null if SERVICE_BASE_URL is set; then no sandbox is started. */
  sandboxPort: number | null;
  /** Null to start the embedded PostgreSQL. */
  databaseUrl: string | null;
};

/** The secrets that `npm start` sets or shows itself. The merchant reads the files of the others. */
const SECRETS = [
  'DATABASE_URL',
  'SERVICE_KEY',
  'SERVICE_SECRET',
  'SERVICE_API_KEY',
  'WEBHOOK_SECRET',
  'API_KEY',
  'OPERATOR_PASSWORD',
];

/** Variables of the process override those of `.env`. A blank value counts as not set. */
export function loadEnvironment(folder: string): Environment {
  loadEnvFile(process.env, folder);
  // A file with a problem stays, and the merchant reports it.
  return readSecretFiles(withoutBlanks(process.env), SECRETS).settings;
}

/** In production the merchant runs alone: no other part is started, no secret is generated, no migration is applied. */
export function isProduction(environment: Environment): boolean {
  const mode = environment['NODE_ENV'] ?? 'development';
  // The merchant refuses it as well, but only after the other parts are started and secrets are generated.
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

/** `npm run minimal` keeps its data apart from that of `npm start`. */
export function minimalDataDir(environment: Environment): string {
  return join(readLocalSettings(environment).dataDir, 'minimal');
}

/** Commands such as `npm run reconcile` read this file to work on the same database and service as the server. */
export function writeLocalSettings(dataDir: string, settings: Environment): void {
  writeFileSync(localSettingsFile(dataDir), JSON.stringify(settings, null, 2), { mode: 0o600 });
}

/** What `npm start` has written last; empty if it has not run in this folder, or is starting. */
export function readWrittenSettings(dataDir: string): Environment {
  try {
    return JSON.parse(readFileSync(localSettingsFile(dataDir), 'utf8')) as Environment;
  } catch {
    return {};
  }
}

const localSettingsFile = (dataDir: string) => join(dataDir, 'local.json');

export type LogFormat = 'pretty' | 'json';

/** The default is `pretty` on a terminal and `json` elsewhere. */
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
