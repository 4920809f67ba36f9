// The settings of this program: those of the platform, and those that each feature brings.

import { FEATURES } from './features';
import { ConfigError, loadConfig as loadConfigWith, type Config } from './platform/config';
import { readCommandSettings, readEnvironment, readServerSettings } from './platform/environment';
import { platformSettings } from './platform/platform-settings';
import type { FeatureSettings, Given } from './platform/settings';

const OF_FEATURES = FEATURES.flatMap(({ settings }) => settings ?? []);
const ALL: readonly FeatureSettings[] = [platformSettings, ...OF_FEATURES];

/** The rule of each setting. */
export const SETTINGS = Object.assign({}, ...ALL.map(({ shape }) => shape)) as FeatureSettings['shape'];
export const SETTING_NAMES = Object.keys(SETTINGS);
export const OWN_SECRETS = ALL.flatMap(({ ownSecrets = [] }) => ownSecrets);

/** @throws ConfigError with all problems at once */
export const loadConfig = (environment: Given): Config => loadConfigWith(environment, OF_FEATURES);

/** The Config of the server. @throws ConfigError with all problems at once */
export const readServerConfig = (): Config => loadConfig(readServerSettings(OWN_SECRETS));

/** The Config of a command. @throws ConfigError with all problems at once */
export const readCommandConfig = (): Config => loadConfig(readCommandSettings(OWN_SECRETS));

/**
 * The problems that settings would have in production, by default those of this process without the values that
 * `npm start` generates.
 */
export function problemsInProduction(given?: Given): readonly string[] {
  try {
    loadConfig({ ...(given ?? readEnvironment()), NODE_ENV: 'production' });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
