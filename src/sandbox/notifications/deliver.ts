// Sends one notification to the merchant by HTTP POST (§6.3). The sandbox also acts as the reverse proxy: it sends from
// loopback with the service's address in X-Forwarded-For. Unlike the live service it calls local addresses, unless
// `refuse_local_addresses` is set.

import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { toWireNames } from '../http/wire-names';
import { isLocal } from './local-address';
import type { Attempt, Notification } from './notification';
import { signatureHeaders, type SignedBody } from './signed-form';

export type DeliveryOptions = {
  namePrefix: string;
  webhookSecret: string;
  connectTimeoutMs: number;
  readTimeoutMs: number;
};

const MAX_ANSWER_LENGTH = 2000;

/**
 * Never rejects: a failed delivery is the `error` of the result.
 * @param signedAt UNIX seconds of real time
 */
export async function deliver(
  notification: Notification,
  options: DeliveryOptions,
  refusesLocal: boolean,
  signedAt: number,
): Promise<Pick<Attempt, 'request' | 'answer' | 'error'>> {
  const request = encode(notification, options, signedAt);
  // An unknown host is reported by the delivery itself.
  if (refusesLocal && (await isLocal(notification.url).catch(() => false)))
    return { request, ...failed('a local address cannot be called') };
  const outcome = await post(notification.url, request, options).catch(() => failed('bad URL'));
  return { request, ...outcome };
}

type Outcome = Pick<Attempt, 'answer' | 'error'>;
const failed = (error: string): Outcome => ({ answer: null, error });

function post(url: string, { headers, body }: Attempt['request'], options: DeliveryOptions) {
  return new Promise<Outcome>((resolve) => {
    const isTls = url.startsWith('https:');
    const request = (isTls ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      // No keep-alive: a reused connection that the receiver has just closed would look like a failed delivery.
      agent: false,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    });
    const failAfter = (timeoutMs: number, reason: string) =>
      setTimeout(() => request.destroy(new Error(reason)), timeoutMs);
    let timer = failAfter(options.connectTimeoutMs, 'connect time-out');
    request.once('socket', (socket) => {
      socket.once(isTls ? 'secureConnect' : 'connect', () => {
        clearTimeout(timer);
        timer = failAfter(options.readTimeoutMs, 'read time-out');
      });
    });
    request.once('close', () => clearTimeout(timer));
    request.on('error', (error) => resolve(failed(error.message)));
    request.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text = (text + chunk).slice(0, MAX_ANSWER_LENGTH);
      });
      response.on('error', (error) => resolve(failed(error.message)));
      response.once('end', () =>
        resolve({ answer: { status: response.statusCode ?? 0, body: text }, error: null }),
      );
    });
    request.end(body);
  });
}

function encode(
  { body, content_type, source, webhook_id: webhookId }: Notification,
  { namePrefix, webhookSecret }: DeliveryOptions,
  signedAt: number,
): Attempt['request'] {
  const isJson = content_type === 'json';
  const headers = {
    'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded',
    'user-agent': 'payment-service-sandbox',
    'x-forwarded-for': source,
  };
  if (isSignedBody(body)) {
    const text = JSON.stringify(body);
    return {
      headers: { ...headers, ...signatureHeaders(webhookSecret, webhookId ?? '', signedAt, text) },
      body: text,
    };
  }
  const fields = toWireNames(namePrefix, body);
  return { headers, body: isJson ? JSON.stringify(fields) : new URLSearchParams(fields).toString() };
}

const isSignedBody = (body: Notification['body']): body is SignedBody => typeof body['data'] === 'object';
