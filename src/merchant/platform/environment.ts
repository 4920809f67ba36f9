// Reads the environment: the variables of the process, then `.env`. The only reader of process.env, for the server and
// for the commands beside it. A blank value counts as not set. At the end, what is said at the start of settings that are not
// refused, as each may cost money or notifications.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigError, loadConfig, type Config } from './config';
import { developmentSecrets } from './secrets';

type Settings = Record<string, string | undefined>;

/** Written by `npm start` beside its data, readable by its owner alone: settings such as DATABASE_URL, by name. */
const LOCAL_SETTINGS = 'local.json';
const localSchema = z.record(z.string(), z.string());

/**
 * The settings of a command: those of the server beside it. Outside production they include what `npm start` has written
 * about the parts that it has started. A command makes no folder: where no server has run, there are no secrets to read.
 */
export function readSettings(): Settings {
  const given = readEnvironment();
  if (isProduction(given)) return given;
  const folder = dataFolder(given);
  if (!existsSync(folder)) return given;
  return { ...localSettings(folder), ...developmentSecrets(folder), ...given };
}

/**
 * The settings of the server. Outside production, secrets that are not set are generated and kept beside the data.
 * What `npm start` has written is not read: `npm start` passes it to the server in the environment.
 */
export function readServerSettings(): Settings {
  const given = readEnvironment();
  if (isProduction(given)) return given;
  return { ...developmentSecrets(dataFolder(given)), ...given };
}

/** What production would find wrong with the settings that are given, and nothing that `npm start` has made up. */
export function problemsInProduction(): readonly string[] {
  try {
    loadConfig({ ...readEnvironment(), NODE_ENV: 'production' });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

/** @throws ConfigError with all problems at once */
export function readConfig(settings: Settings = readSettings()): Config {
  return loadConfig(settings);
}

/** What commands need to know about the terminal. */
export function readTerminalSettings(): Settings {
  return { NO_COLOR: process.env['NO_COLOR'] };
}

/** Variables of the process precede those of `.env`. */
function readEnvironment(): Settings {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return Object.fromEntries(Object.entries(process.env).filter(([, value]) => value?.trim()));
}

function isProduction(given: Settings): boolean {
  return given['NODE_ENV'] === 'production';
}

function dataFolder(given: Settings): string {
  return given['DATA_DIR'] ?? '.data';
}

function localSettings(folder: string): Settings {
  try {
    return localSchema.parse(JSON.parse(readFileSync(join(folder, LOCAL_SETTINGS), 'utf8')));
  } catch {
    // `npm start` has not run here, or is writing just now.
    return {};
  }
}

/**
 * Of a payment service that is not on this machine, while NODE_ENV is not production. A test account at the service is used
 * just so; with a live account it is a mistake. `npm run doctor` says it too.
 */
export const SET_PRODUCTION = 'Set NODE_ENV=production, unless this is a test account.';

/** What the rules of development let through. Empty where they do no harm: in production, or with a sandbox beside us. */
export function unsafeOutsideProduction({
  liveOutsideProduction,
}: Pick<Config, 'liveOutsideProduction'>): string[] {
  if (!liveOutsideProduction) return [];
  return [
    'payments of test channels, which move no money, pay for orders',
    'secrets may be short, addresses plain HTTP, and the database reached without TLS',
    'secrets that are not set are made and kept in a file',
    'the member cookie is sent without TLS as well',
  ];
}

/**
 * Of production without TRUSTED_PROXIES. A proxy may keep the sender's address on the connection itself; behind any other no
 * notification arrives.
 */
export const NO_TRUSTED_PROXIES = {
  meaning:
    'whoever connects to this server is taken for the sender: behind a reverse proxy every notification is refused, and the limits of the card form count the proxy in place of each browser',
  fix: 'Name your reverse proxies in TRUSTED_PROXIES, by address or range, and run: npm run doctor',
};

export function lacksProxies({
  production,
  trustedProxies,
}: Pick<Config, 'production' | 'trustedProxies'>): boolean {
  return production && trustedProxies.length === 0;
}
