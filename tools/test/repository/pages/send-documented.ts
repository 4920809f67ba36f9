// Sends a request of a page unchanged to the two programs of a world.

import { API_KEY } from '../../../../test/support/config';
import type { World } from '../../../../test/support/world';
import { filledIn, type DocumentedRequest } from './documented-requests';

/** Resolves after its effects at the sandbox. */
export async function sendDocumented(
  world: World,
  { to, method, path, body, sendsKey, contentType, headers }: DocumentedRequest,
  variables: Record<string, string>,
): Promise<{ status: number; text: string }> {
  const response = await fetch(
    `${to === 'sandbox' ? world.sandbox.url : world.url}${filledIn(path, variables)}`,
    {
      method,
      headers: {
        ...headers,
        ...(sendsKey && { authorization: `Bearer ${API_KEY}` }),
        ...(body !== null && contentType !== null && { 'content-type': contentType }),
      },
      ...(body !== null && { body: filledIn(body, variables) }),
    },
  );
  const text = await response.text();
  if (to === 'sandbox') await world.sandbox.waitForNotifications();
  return { status: response.status, text };
}
