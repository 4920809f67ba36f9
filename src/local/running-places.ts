// Where the programs of `npm start` run, for programs that work with both of them over HTTP.

import { developmentSecret } from '../merchant/platform/secrets';
import type { MerchantPlace, Places } from '../sandbox/stories/scene';
import { activeValue, readLocalSettings, readWrittenSettings, type Environment } from './settings';

export type RunningPlaces = Places & { merchant: MerchantPlace };

/**
 * The ports are those of the environment, else those with which `npm start` was run last in this folder.
 * @throws Error that says what to start
 */
export async function findRunningPlaces(
  environment: Environment,
  command = 'npm start',
): Promise<RunningPlaces> {
  const places = placesOf(environment);
  for (const [name, url] of [
    ['sandbox', `${places.sandboxUrl}/_sandbox/clock`],
    ['merchant', `${places.merchant.url}/healthz`],
  ] as const) {
    // One that lacks the route answers 404.
    const answer = await fetch(url).catch(() => null);
    if (!answer || answer.status >= 500)
      throw new Error(`The ${name} does not answer at ${url}: run "${command}" first.`);
  }
  return places;
}

function placesOf(environment: Environment): RunningPlaces {
  const { PORT, SERVICE_BASE_URL = '' } = readWrittenSettings(readLocalSettings(environment).dataDir);
  const sandbox = URL.canParse(SERVICE_BASE_URL) ? { SANDBOX_PORT: new URL(SERVICE_BASE_URL).port } : {};
  const { dataDir, merchantPort, sandboxPort } = readLocalSettings({
    ...(PORT !== undefined && { PORT }),
    ...sandbox,
    ...environment,
  });
  if (sandboxPort === null)
    throw new Error(
      'SERVICE_BASE_URL is set, but this needs the sandbox: remove the setting, then run "npm start".',
    );
  const prefix = environment['PATH_PREFIX'] ?? '';
  return {
    sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
    merchant: {
      url: `http://127.0.0.1:${merchantPort}${prefix}`,
      apiKey: activeValue(environment['API_KEY'] ?? developmentSecret(dataDir, 'API_KEY')),
    },
  };
}
