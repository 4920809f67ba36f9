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

/** Never rejects: what goes wrong on the way is the `error` of the attempt. */
export function createDelivery({ wireNames, connectTimeoutMs, readTimeoutMs }: Options): Deliver {
  return async (notification) => {
    const sent = encode(notification, wireNames);
    const outcome = await post(notification.url, sent, connectTimeoutMs, readTimeoutMs).catch(() =>
      failed('bad URL'),
    );
    return { request: sent, ...outcome };
  };
}

type Outcome = Pick<Attempt, 'answer' | 'error'>;
const failed = (error: string): Outcome => ({ answer: null, error });

function post(url: string, sent: Attempt['request'], connectTimeoutMs: number, readTimeoutMs: number) {
  return new Promise<Outcome>((resolve) => {
    const isTls = url.startsWith('https:');
    const request = (isTls ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      // No keep-alive: a reused connection that the receiver just closed would look like a failed delivery.
      agent: false,
      headers: { ...sent.headers, 'content-length': Buffer.byteLength(sent.body) },
    });
    const failAfter = (timeoutMs: number, reason: string) =>
      setTimeout(() => request.destroy(new Error(reason)), timeoutMs);
    let timer = failAfter(connectTimeoutMs, 'connect time-out');
    request.once('socket', (socket) => {
      socket.once(isTls ? 'secureConnect' : 'connect', () => {
        clearTimeout(timer);
        timer = failAfter(readTimeoutMs, 'read time-out');
      });
    });
    request.once('close', () => clearTimeout(timer));
    request.on('error', (error) => resolve(failed(error.message)));
    request.once('response', (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body = (body + chunk).slice(0, LONGEST_ANSWER);
      });
      response.on('error', (error) => resolve(failed(error.message)));
      response.once('end', () =>
        resolve({ answer: { status: response.statusCode ?? 0, body }, error: null }),
      );
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
