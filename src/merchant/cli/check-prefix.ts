// `npm run doctor`: whether SERVICE_NAME_PREFIX is the one of the live service. The document shows no way to ask for it, so
// our choice is a comparison: a service that answers our credentials as it answers none at all does not know their names.

import { cleanText } from '../payment-service/records/clean-text';
import type { Config } from '../platform/config';
import type { ServiceError } from '../platform/errors';
import type { Check } from './doctor-checks';

const DEADLINE_MS = 5_000;
const MAX_MESSAGE_LENGTH = 200;

/** @param refusal of the token call (§4.1) with our credentials; null where they were taken */
export async function checkPrefix(
  { service }: Pick<Config, 'service'>,
  refusal: ServiceError | null,
): Promise<Check[]> {
  const name = 'prefix';
  const names = `${service.namePrefix}_key and ${service.namePrefix}_secret`;
  if (refusal === null) return [{ name, state: 'ok', says: `the service takes the names ${names}` }];
  if (refusal.facts.kind !== 'unauthorized' || refusal.facts.status === undefined) return [];
  const none = await answerToNothing(service.baseUrl);
  const { status, serviceMessage = null } = refusal.facts;
  if (none === null || none.status !== status || none.message !== serviceMessage) return [];
  return [
    {
      name,
      state: 'failed',
      says: `the service answers ${names} as if nothing had been sent: perhaps it does not know these names`,
      fix: 'Set SERVICE_NAME_PREFIX to the prefix that its reference puts on the names of the token call, such as abc for abc_key.',
    },
  ];
}

/** Null where there is no answer. */
async function answerToNothing(baseUrl: string): Promise<{ status: number; message: string | null } | null> {
  try {
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/users/getToken`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    const { message } = (await response.json()) as { message?: unknown };
    const text = typeof message === 'string' && message !== '' ? message : null;
    return { status: response.status, message: text && cleanText(text, MAX_MESSAGE_LENGTH) };
  } catch {
    return null;
  }
}
