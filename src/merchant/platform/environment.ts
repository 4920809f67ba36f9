// Reads the settings: the variables of the process, then `.env`. Only this file reads process.env, for the server and
// for the commands. A blank value counts as not set. The end of the file has what the rules of development allow,
// for the warning at the start.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { withoutBlanks, type Config } from './config';
import { loadEnvFile, unreadNames } from './env-file';
import { fileSettingOf } from './secret-files';
import { developmentSecret } from './secrets';
import type { Given } from './settings';

/** `npm start` writes it beside its data, readable only by its owner: settings such as DATABASE_URL, by name. */
const LOCAL_SETTINGS = 'local.json';
const localSchema = z.record(z.string(), z.string());

/** What is set, without what this machine adds outside production. */
export function readEnvironment(): Given {
  loadEnvFile(process.env);
  return withoutBlanks(process.env);
}

/**
 * The settings of the server. Outside production, missing secrets are generated and stored beside the data. The file
 * that `npm start` writes is not read: `npm start` passes its values in the environment.
 * @param ownSecrets the names of the secrets to generate
 */
export function readServerSettings(ownSecrets: readonly string[]): Given {
  const given = readEnvironment();
  if (given['NODE_ENV'] === 'production') return given;
  const folder = dataFolder(given);
  return added(given, Object.fromEntries(ownSecrets.map((name) => [name, developmentSecret(folder, name)])));
}

/**
 * The settings of a command: those of the server on the same machine. Outside production they include what `npm start`
 * has written about the parts that it started. A command creates no folder: if no server has run, there are no secrets
 * to read.
 */
export function readCommandSettings(ownSecrets: readonly string[] = []): Given {
  const given = readEnvironment();
  const folder = dataFolder(given);
  if (given['NODE_ENV'] === 'production' || !existsSync(folder)) return given;
  return added(readServerSettings(ownSecrets), localSettings(folder));
}

/** Without what is given, or given as a file: a problem of that file must be reported. */
function added(given: Given, others: Given): Given {
  const missing = Object.entries(others).filter(
    ([name]) => !(name in given) && !(fileSettingOf(name) in given),
  );
  return { ...given, ...Object.fromEntries(missing) };
}

/**
 * Settings that nothing reads, each with the one that was probably meant. Empty if every name is read. They are never
 * refused: the shop's own files may read settings of their own.
 * @param settings the names of our settings
 */
export function settingsNotRead(settings: readonly string[]): string[] {
  return unreadNames(settings, process.env);
}

/** The settings that commands need about the terminal. */
export function readTerminalSettings(): Given {
  return { NO_COLOR: process.env['NO_COLOR'] };
}

/** Whether npm was given this option without a "--" in front of it: the command does not get it then. */
export function isTakenByNpm(option: string): boolean {
  return process.env[`npm_config_${option.replaceAll('-', '_')}`] === 'true';
}

function dataFolder(given: Given): string {
  return given['DATA_DIR'] ?? '.data';
}

function localSettings(folder: string): Given {
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
