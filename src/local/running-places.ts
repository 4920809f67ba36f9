// Where the programs of `npm start` run, for programs that work with both of them over HTTP.

import { developmentSecret } from '../merchant/platform/secrets';
import type { MerchantPlace, Places } from '../sandbox/stories/scene';
import { activeValue, readLocalSettings, readWrittenSettings, type Environment } from './settings';

export type RunningPlaces = Places & { merchant: MerchantPlace };

/** Something that the merchant answers with 200 to anybody; the one of examples/minimal has fewer routes. */
type Asked = '/healthz' | '/cards/new';

/**
 * The ports are those of the environment, else those with which `npm start` was run last in this folder.
 * @throws Error that says what to start
 */
export async function findRunningPlaces(
  environment: Environment,
  asked: Asked = '/healthz',
): Promise<RunningPlaces> {
  const places = placesOf(environment);
  for (const [name, url] of [
    ['sandbox', `${places.sandboxUrl}/_sandbox/clock`],
    ['merchant', `${places.merchant.url}${asked}`],
  ] as const) {
    const answer = await fetch(url).catch(() => null);
    if (!answer?.ok)
      throw new Error(
        `The ${name} does not answer at ${url}: run "${asked === '/healthz' ? 'npm start' : 'npm run minimal'}" first.`,
      );
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
