// A sandbox on a free port with a clock that tests move, and a receiver for its notifications.

import type { IncomingHttpHeaders } from 'node:http';
import type { SandboxConfig } from '../../src/sandbox/config';
import { startSandbox } from '../../src/sandbox/start-sandbox';
import { CARD } from './cards';
import { startHttpServer } from './http-server';
import { openForAll, openForEach } from './open-between';

export const NOW = 1_800_000_000;

export async function runSandbox(config: Partial<SandboxConfig> = {}, random: () => number = () => 0.25) {
  const sandbox = await startSandbox({ config: { port: 0, ...config }, clock: () => NOW * 1000, random });
  let token = '';

  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const isJson = body !== undefined && !(body instanceof URLSearchParams);
    const response = await fetch(sandbox.url + path, {
      method,
      headers: { ...(isJson && { 'content-type': 'application/json' }), ...headers },
      redirect: 'manual',
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
    });
    const text = await response.text();
    return { status: response.status, text, headers: response.headers, body: parse(text) };
  }

  async function signIn() {
    const answer = await call('POST', '/users/getToken', {
      svc_key: 'sandbox_key',
      svc_secret: 'sandbox_secret',
    });
    token = answer.body.response.access_token;
    return token;
  }

  async function service(method: string, path: string, body?: unknown) {
    if (token === '') await signIn();
    return call(method, path, body, { authorization: `Bearer ${token}` });
  }

  const control = async (method: string, path: string, body?: unknown) =>
    call(method, `/_sandbox${path}`, body);

  return {
    sandbox,
    url: sandbox.url,
    call,
    signIn,
    get: (path: string) => service('GET', path),
    post: (path: string, body: unknown) => service('POST', path, body),
    remove: (path: string) => service('DELETE', path),
    control,
    /** Makes a payment in the browser's window and returns its record. */
    pay: async (fields: object = {}) =>
      (await control('POST', '/payments', { merchant_uid: 'order-1', amount: 1000, ...fields })).body,
    issueKey: (customerUid: string, card: object = {}) =>
      service('POST', `/subscribe/customers/${customerUid}`, { ...CARD, ...card }),
    advance: (seconds: number) => control('POST', '/clock', { advance_seconds: seconds }),
    /** As it was at its start. */
    reset: async () => {
      await control('POST', '/reset');
      token = '';
    },
    settings: (fields: object) => control('PATCH', '/settings', fields),
    notifications: async () => (await control('GET', '/notifications?settled=1')).body.notifications as any[],
    close: () => sandbox.close(),
  };
}

/** A new one for each test, if the function that is passed knows its config only in the hooks; or one that is reset. */
export function useSandbox(config: Partial<SandboxConfig> | (() => Partial<SandboxConfig>) = {}): Running {
  if (typeof config === 'function') return openForEach(() => runSandbox(config()));
  const running = openForAll(() => runSandbox(config));
  beforeEach(() => running.reset());
  return running;
}

/** The answer to a refused operation (§7). */
export const refused = (field: string, code = 1) => ({
  status: 200,
  body: { code, message: expect.stringContaining(field), response: null },
});

export type Running = Awaited<ReturnType<typeof runSandbox>>;

export type Received = { body: string; headers: IncomingHttpHeaders; at: number };

/** A merchant's endpoint that records requests. `answerStatus` decides the answer. */
export async function runReceiver(answerStatus: (received: Received) => number | 'hang' | 'cut' = () => 200) {
  const received: Received[] = [];
  const server = await startHttpServer(({ body, headers }, response) => {
    const one = { body, headers, at: performance.now() };
    received.push(one);
    const answer = answerStatus(one);
    if (answer === 'cut') response.destroy();
    else if (answer !== 'hang') response.writeHead(answer).end('{}');
  });
  return {
    received,
    bodies: () => received.map(({ body }) => parse(body)),
    url: `${server.url}/webhooks/payments`,
    close: server.close,
  };
}

/** One for each test. */
export function useReceiver(answerStatus?: Parameters<typeof runReceiver>[0]) {
  return openForEach(() => runReceiver(answerStatus));
}

/** Returns null if the text is not JSON. */
function parse(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
