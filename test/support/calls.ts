// Calls of other programs: to the merchant's JSON API with the key, and directly to the service.

import { ask } from './ask';
import { API_KEY, NAME_PREFIX } from './config';

export type ApiAnswer = { status: number; body: any };

export async function callApi(url: string, method: string, path: string, body?: unknown): Promise<ApiAnswer> {
  const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
  const { status, text } = await ask(url, method, path, {
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status, body: JSON.parse(text) };
}

/** The status and the error code; without an error the code is undefined. */
export async function codeOf(answer: Promise<ApiAnswer>) {
  const { status, body } = await answer;
  return [status, body.error?.code];
}

type Service = { sandbox: { url: string } };

/** The service issues the same token until it expires (§5.5), so this is also the merchant's. */
export async function getAccessToken(
  { sandbox }: Service,
  { key = 'sandbox_key', secret = 'sandbox_secret' } = {},
): Promise<string> {
  const credentials = { [`${NAME_PREFIX}_key`]: key, [`${NAME_PREFIX}_secret`]: secret };
  const { body } = await ask(sandbox.url, 'POST', '/users/getToken', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  return body.response.access_token as string;
}

/** A POST if there is a body, otherwise a GET. Returns the `response` of an answer with code 0. */
export async function callService(service: Service, path: string, body?: object): Promise<any> {
  const answer = await ask(service.sandbox.url, body ? 'POST' : 'GET', path, {
    headers: {
      authorization: `Bearer ${await getAccessToken(service)}`,
      'content-type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.body).toMatchObject({ code: 0 });
  return answer.body.response;
}
