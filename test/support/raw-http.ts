// Sends HTTP as an attacker writes it: any header as often as wanted, any path, any bytes.

import { request, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

export type RawAnswer = { status: number; headers: NodeJS.Dict<string | string[]>; body: string };

export function send(
  url: string,
  path: string,
  options: { method?: string; headers?: OutgoingHttpHeaders; body?: string | Buffer } = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const { method = 'POST', headers = {}, body } = options;
    // Node.js would replace an empty Host.
    const setHost = headers.host === undefined;
    const outgoing = request({ hostname, port, path, method, headers, setHost, agent: false }, (answer) => {
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

/** Writes bytes to the port and answers the first line that comes back; empty when the connection is just closed. */
export function sendBytes(url: string, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\r\n')) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text.split('\r\n', 1)[0] ?? ''));
  });
}
