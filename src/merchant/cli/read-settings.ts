// The settings of a command are those of the server it stands beside: the environment, `.env`, and outside production
// what `npm start` keeps and what it says about the parts that it has brought along.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { loadConfig, type Config } from '../config';
import { developmentSecrets } from '../development-secrets';

/** Written by `npm start` beside its data, for its owner alone: settings such as DATABASE_URL, by name. */
const LOCAL_SETTINGS = 'local.json';
const localSchema = z.record(z.string(), z.string());

export type Settings = Record<string, string | undefined>;

export function readSettings(): Settings {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value?.trim()));
  if (given['NODE_ENV'] === 'production') return given;
  const folder = given['DATA_DIR'] ?? '.data';
  // A command makes nothing: where no server has run there are no secrets to read.
  if (!existsSync(folder)) return given;
  return { ...localSettings(folder), ...developmentSecrets(folder), ...given };
}

/** @throws ConfigFault with all problems at once */
export function readConfig(settings = readSettings()): Config {
  return loadConfig(settings);
}

function localSettings(folder: string): Settings {
  try {
    return localSchema.parse(JSON.parse(readFileSync(join(folder, LOCAL_SETTINGS), 'utf8')));
  } catch {
    // `npm start` has not run here, or is writing just now.
    return {};
  }
}
