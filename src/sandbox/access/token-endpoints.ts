// The two calls that issue tokens (§4.1, §5.7) and the token check of all other calls (§5.3, §5.6).

import { z } from 'zod';
import { HttpError, success } from '../http/answer';
import type { Endpoint } from '../http/endpoint';
import { parseFields, text } from '../http/fields';
import { isSameSecret, type AccessTokens } from './access-token';

export type TokensByGeneration = { legacy: AccessTokens; newer: AccessTokens };

type Credentials = { serviceKey: string; serviceSecret: string; apiKey: string };

const legacySchema = z.object({ svc_key: text(200), svc_secret: text(200) });
const newerSchema = z.object({ api_key: text(200) });

export function tokenEndpoints(tokens: TokensByGeneration, credentials: Credentials): Endpoint[] {
  return [
    {
      method: 'POST',
      path: '/users/getToken',
      access: 'open',
      handle: ({ body }) => {
        const { svc_key, svc_secret } = parseFields(legacySchema, body);
        // Both are always compared, so that the time taken does not tell which one was wrong. The document shows no
        // status for wrong credentials; our choice is 401, as for every other failed authentication.
        const isKey = isSameSecret(svc_key, credentials.serviceKey);
        const isSecret = isSameSecret(svc_secret, credentials.serviceSecret);
        if (!isKey || !isSecret) throw new HttpError(401, 'svc_key and svc_secret do not belong together');
        return success(tokens.legacy.issue());
      },
    },
    {
      method: 'POST',
      path: '/v2/signin/api-key',
      access: 'open',
      // The newer generation has no envelope (§5.7): the tokens are at the top of the answer.
      handle: ({ body }) => {
        const { api_key } = parseFields(newerSchema, body);
        if (!isSameSecret(api_key, credentials.apiKey)) throw new HttpError(401, 'api_key is not valid');
        const { access_token } = tokens.newer.issue();
        // The live service also sends a refresh token (§5.7); no call takes one.
        return { status: 200, body: { access_token, refresh_token: [...access_token].reverse().join('') } };
      },
    },
  ];
}

/**
 * Throws a 401 unless the header carries a valid token. §5.3 shows both a Bearer and a bare token; a missing, an invalid
 * and an expired one get the same answer (§5.6).
 */
export function authorize(
  tokens: TokensByGeneration,
  generation: 'legacy' | 'newer',
  authorization: string | undefined,
): void {
  const token = (authorization ?? '').replace(/^bearer +/i, '').trim();
  if (!tokens[generation].accepts(token))
    throw new HttpError(401, 'access token is missing, invalid or expired');
}
