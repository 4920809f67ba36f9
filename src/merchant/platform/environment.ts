// Reads the settings: the variables of the process, then `.env`. Only this file reads process.env, for the server and
// for the commands. A blank value counts as not set. The end of the file has the warnings at the start about settings
// that are accepted but may cost money or notifications.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigError, loadConfig, type Config } from './config';
import { loadEnvFile, unreadNames } from './env-file';
import { fileSettingOf, readSecretFiles } from './secret-files';
import { developmentSecrets } from './secrets';

type Settings = Record<string, string | undefined>;

/** `npm start` writes it beside its data, readable only by its owner: settings such as DATABASE_URL, by name. */
const LOCAL_SETTINGS = 'local.json';
const localSchema = z.record(z.string(), z.string());

/**
 * The settings of a command: those of the server on the same machine. Outside production they include what `npm start`
 * has written about the parts that it started. A command creates no folder: if no server has run, there are no secrets
 * to read.
 */
export function readSettings(): Settings {
  const given = readEnvironment();
  if (isProduction(given)) return given;
  const folder = dataFolder(given);
  if (!existsSync(folder)) return given;
  return { ...localSettings(folder), ...generatedSecrets(given), ...given };
}

/**
 * The settings of the server. Outside production, missing secrets are generated and stored beside the data. The file
 * that `npm start` writes is not read: `npm start` passes its values in the environment.
 */
export function readServerSettings(): Settings {
  const given = readEnvironment();
  if (isProduction(given)) return given;
  return { ...generatedSecrets(given), ...given };
}

/** The problems that the given settings would have in production, without the values that `npm start` generates. */
export function problemsInProduction(): readonly string[] {
  try {
    loadConfig({ ...readEnvironment(), NODE_ENV: 'production' });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

/**
 * Settings that nothing reads, each with the one that was probably meant. Empty if every name is read. They are never
 * refused: the shop's own files may read settings of their own.
 */
export function settingsNotRead(): string[] {
  return unreadNames(process.env).map(({ name, meant }) =>
    meant === null ? `${name}: nothing reads it` : `${name}: nothing reads it; ${meant} was probably meant`,
  );
}

/** The Config of a command. @throws ConfigError with all problems at once */
export function readConfig(): Config {
  return loadConfig(readSettings());
}

/** The settings that commands need about the terminal. */
export function readTerminalSettings(): Settings {
  return { NO_COLOR: process.env['NO_COLOR'] };
}

/** Whether npm was given this option without a "--" in front of it: the command does not get it then. */
export function isTakenByNpm(option: string): boolean {
  return process.env[`npm_config_${option.replaceAll('-', '_')}`] === 'true';
}

/** Variables of the process override those of `.env`. */
function readEnvironment(): Settings {
  loadEnvFile(process.env);
  return readSecretFiles(Object.fromEntries(Object.entries(process.env).filter(([, value]) => value?.trim())))
    .settings;
}

/** Generated secrets, without those that a file gives: a problem of that file must be reported. */
function generatedSecrets(given: Settings): Settings {
  const secrets = Object.entries(developmentSecrets(dataFolder(given)));
  return Object.fromEntries(secrets.filter(([name]) => !(fileSettingOf(name) in given)));
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
    // `npm start` has not run here, or is writing the file now.
    return {};
  }
}

/**
 * For a payment service on another machine while NODE_ENV is not production. This is right with a test account at the
 * service, and a mistake with a live account. `npm run doctor` reports it too.
 */
export const SET_PRODUCTION = 'Set NODE_ENV=production, unless this is a test account.';

/**
 * What the rules of development allow. Empty if that is safe: in production, or with a sandbox on this machine.
 */
export function unsafeOutsideProduction({
  liveOutsideProduction,
}: Pick<Config, 'liveOutsideProduction'>): string[] {
  if (!liveOutsideProduction) return [];
  return [
    'payments of test channels, which move no money, pay for orders',
    'secrets may be short, addresses plain HTTP, and the database reached without TLS',
    'secrets that are not set are generated and stored in a file',
    'the member cookie is also sent without TLS',
  ];
}

/**
 * For production without TRUSTED_PROXIES. A proxy may preserve the sender's address on the connection itself; behind
 * any other proxy no notification arrives.
 */
export const NO_TRUSTED_PROXIES = {
  meaning:
    'the address of each connection counts as the sender: behind a reverse proxy every notification is refused, and all browsers share the card limits of one address',
  fix: 'Name your reverse proxies in TRUSTED_PROXIES, by address or range, and run: npm run doctor',
};

/** For a host that names a proxy. A shop behind a firewall would see nothing but time-outs. */
export const PROXY_IGNORED = {
  meaning: 'HTTPS_PROXY or HTTP_PROXY is set and not used: the payment service is called directly',
  fix: 'Set SERVICE_PROXY=on if this host reaches the payment service only through the proxy; otherwise unset the variable',
};

/** For WEBHOOK_SOURCE_CHECK=observe, which is meant for the days of a change of addresses. */
export const OBSERVED = {
  meaning:
    'WEBHOOK_SOURCE_CHECK is observe: anybody can send notifications. No false payment is stored, because each is fetched, but each costs a call to the service',
  fix: 'Set WEBHOOK_SOURCE_ADDRESSES to the addresses of the service, and WEBHOOK_SOURCE_CHECK=enforce',
};

export function lacksProxies({
  production,
  trustedProxies,
}: Pick<Config, 'production' | 'trustedProxies'>): boolean {
  return production && trustedProxies.length === 0;
}
