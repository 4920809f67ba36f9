// One HTTP POST to the merchant (§6.3): from loopback, as the sandbox also plays the proxy that says in
// X-Forwarded-For where it came from. Unlike the live service it may call local addresses.
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { WireNames } from '../http/wire-names';
import type { Attempt, Notification } from './notification';

export type Deliver = (notification: Notification) => Promise<Delivered>;
export type Delivered = Pick<Attempt, 'request' | 'answer' | 'error'>;

type Options = { wireNames: WireNames; connectTimeoutMs: number; readTimeoutMs: number };

const LONGEST_ANSWER = 2000;

export function createDelivery({ wireNames, connectTimeoutMs, readTimeoutMs }: Options): Deliver {
  return (notification) =>
    new Promise((resolve) => {
      const sent = encode(notification, wireNames);
      const request = (notification.url.startsWith('https:') ? httpsRequest : httpRequest)(notification.url, {
        method: 'POST',
        // No keep-alive: a reused connection that the receiver just closed would look like a failed delivery.
        agent: false,
        headers: { ...sent.headers, 'content-length': Buffer.byteLength(sent.body) },
      });
      let timer = setTimeout(() => request.destroy(new Error('connect time-out')), connectTimeoutMs);
      const end = (result: Pick<Attempt, 'answer' | 'error'>) => {
        clearTimeout(timer);
        resolve({ request: sent, ...result });
        request.destroy();
      };
      request.once('socket', (socket) => {
        socket.once(notification.url.startsWith('https:') ? 'secureConnect' : 'connect', () => {
          clearTimeout(timer);
          timer = setTimeout(() => request.destroy(new Error('read time-out')), readTimeoutMs);
        });
      });
      request.on('error', (error) => end({ answer: null, error: error.message }));
      request.once('response', (response) => {
        let body = '';
        const answered = () => end({ answer: { status: response.statusCode ?? 0, body }, error: null });
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          body = (body + chunk).slice(0, LONGEST_ANSWER);
        });
        response.once('end', answered);
        response.on('error', (error) => end({ answer: null, error: error.message }));
      });
      request.end(sent.body);
    });
}

function encode({ body, content_type, source }: Notification, wireNames: WireNames): Attempt['request'] {
  const fields = wireNames.rename(body);
  const isJson = content_type === 'json';
  return {
    headers: {
      'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded',
      'user-agent': 'payment-service-sandbox',
      'x-forwarded-for': source,
    },
    body: isJson ? JSON.stringify(fields) : new URLSearchParams(fields).toString(),
  };
}
