// Sends HTTP as an attacker could: any header any number of times, any path, any bytes.

import { request, type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

export type RawAnswer = { status: number; headers: IncomingHttpHeaders; body: string };

export function send(
  url: string,
  path: string,
  options: {
    method?: string;
    headers?: OutgoingHttpHeaders;
    body?: string | Buffer | undefined;
    localAddress?: string;
    /** Each request has a connection of its own unless given. */
    agent?: Agent;
  } = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const { method = 'POST', headers = {}, body, localAddress, agent = false } = options;
    // Node.js would replace an empty Host.
    const setHost = headers.host === undefined;
    const to = { hostname, port, path, method, headers, setHost, localAddress, agent };
    const outgoing = request(to, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => (text += chunk));
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Writes bytes to the port and returns the first line of the answer; '' if the connection is closed without one. */
export async function sendBytes(url: string, bytes: string): Promise<string> {
  const text = await exchange(url, bytes, (read) => read.includes('\r\n'));
  return text.split('\r\n', 1)[0] ?? '';
}

/** Writes bytes to the port, reads until the other side closes, and returns the first answer, or null if there is none. */
export const exchangeBytes = async (url: string, bytes: string): Promise<RawAnswer | null> =>
  parseAnswer(await exchange(url, bytes, () => false));

/** Reads until the other side closes, or until `isEnough`. */
function exchange(url: string, bytes: string, isEnough: (read: string) => boolean): Promise<string> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (isEnough(text)) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}

/** Head and body; null if the text is not an HTTP answer. */
export function parseAnswer(text: string): RawAnswer | null {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  if (end < 0 || Number.isNaN(status)) return null;
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ]);
  const rest = text.slice(end + 4);
  // Node.js's own answers have an empty chunked body.
  const body = rest === '0\r\n\r\n' ? '' : rest;
  return { status, headers: Object.fromEntries(headers) as Record<string, string>, body };
}
