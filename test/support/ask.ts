// One request to a server of a test, by supertest. For malformed bytes use raw-http.ts.

import { Agent } from 'node:http';
import request from 'supertest';

/** Keeps connections open: a new one for each request would double what it costs. */
const agent = new Agent({ keepAlive: true });

export type Asked = { headers?: Record<string, string>; body?: string };

/** @param to the app itself, or the address of a server. Redirects are not followed. */
export function ask(
  to: Parameters<typeof request>[0],
  method: string,
  path: string,
  { headers = {}, body }: Asked = {},
): request.Test {
  const name = method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head' | 'options';
  return request(to)[name](path).agent(agent).redirects(0).set(headers).send(body);
}
