// The two calls that issue tokens (§4.1, §5.7) and the check on all the others (§5.3, §5.6).
import { z } from 'zod';
import type { SandboxConfig } from '../config';
import { Refusal, success } from '../http/answer';
import type { Endpoint } from '../http/endpoint';
import { parseFields, text } from '../http/fields';
import { isSame, type AccessTokens } from './access-token';

export type TokensByGeneration = { legacy: AccessTokens; newer: AccessTokens };

const legacyCredentials = z.object({ svc_key: text(200), svc_secret: text(200) });
const newerCredentials = z.object({ api_key: text(200) });

export function tokenEndpoints(config: SandboxConfig, tokens: TokensByGeneration): Endpoint[] {
  return [
    {
      method: 'POST',
      path: '/users/getToken',
      access: 'open',
      handle: ({ body }) => {
        const { svc_key, svc_secret } = parseFields(legacyCredentials, body);
        // Both are compared, so that the time taken does not tell which was wrong. The status for wrong
        // credentials is not shown; ours is the 401 of every other failed authentication.
        const fits = [isSame(svc_key, config.serviceKey), isSame(svc_secret, config.serviceSecret)].every(
          Boolean,
        );
        if (!fits) throw new Refusal(401, 'svc_key and svc_secret do not belong together');
        return success(tokens.legacy.issue());
      },
    },
    {
      method: 'POST',
      path: '/v2/signin/api-key',
      access: 'open',
      // No envelope is shown for the newer generation (§5.7): the answer carries the tokens at its top.
      handle: ({ body }) => {
        const { api_key } = parseFields(newerCredentials, body);
        if (!isSame(api_key, config.apiKey)) throw new Refusal(401, 'api_key is not valid');
        const { access_token } = tokens.newer.issue();
        // A refresh token is in the wild answer (field notes); nothing in the document takes one.
        return { status: 200, body: { access_token, refresh_token: [...access_token].reverse().join('') } };
      },
    },
  ];
}

/** Bearer or bare (§5.3 shows both); missing, invalid and expired tokens are one and the same 401 (§5.6). */
export function authorizeBy(tokens: TokensByGeneration) {
  return (generation: 'legacy' | 'newer', authorization: string | undefined) => {
    const token = (authorization ?? '').replace(/^bearer +/i, '').trim();
    if (!tokens[generation].accepts(token))
      throw new Refusal(401, 'access token is missing, invalid or expired');
  };
}
