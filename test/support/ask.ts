// One request to a server of a test. For malformed bytes use raw-http.ts.

import { globalAgent, type IncomingHttpHeaders } from 'node:http';
import { send } from './raw-http';

export type Asked = { headers?: Record<string, string>; body?: string };
/** `body` is the value of an answer in JSON; {} if the answer is not in JSON. */
export type Reply = { status: number; headers: IncomingHttpHeaders; text: string; body: any };

/**
 * @param url of the server, whose connections are used again
 * @returns the answer; a redirect is not followed
 */
export async function ask(
  url: string,
  method: string,
  path: string,
  { headers = {}, body }: Asked = {},
): Promise<Reply> {
  const { origin, pathname, search } = new URL(url + path);
  const sent = { method, headers, body, agent: globalAgent };
  const { body: text, ...answer } = await send(origin, pathname + search, sent);
  const isJson = /[/+]json\b/.test(answer.headers['content-type'] ?? '');
  return { ...answer, text, body: isJson && text !== '' ? (JSON.parse(text) as unknown) : {} };
}
