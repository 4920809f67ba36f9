// The merchant's JSON API as its own systems call it, with the key.

import { API_KEY } from './config';

export async function callApi(
  url: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: any }> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

/** The status and the code of an error; of what is no error, the code is undefined. */
export async function codeOf(answer: Promise<{ status: number; body: any }>) {
  const { status, body } = await answer;
  return [status, body.error?.code];
}
