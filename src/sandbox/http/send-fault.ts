// Writes each kind of fault to the socket.

import { setTimeout as wait } from 'node:timers/promises';
import type { Response } from 'express';
import { HttpError } from './answer';
import type { Fault } from './faults';

const HTML = '<!doctype html><title>502 Bad Gateway</title><h1>502 Bad Gateway</h1>';
const BROKEN_JSON = '{"code":0,"message":null,"response":{"amount":';

/** Returns true if the fault was the whole answer, false if the request is still to be served. */
export async function answeredByFault(response: Response, fault: Fault): Promise<boolean> {
  const isSlow = fault.kind === 'delay' || fault.delay_ms !== undefined;
  if (isSlow && fault.kind !== 'drip') await wait(fault.delay_ms ?? 1000, undefined, { ref: false });
  switch (fault.kind) {
    case 'delay':
    case 'drip':
    case 'lost_response':
      return false;
    case 'reset':
      response.req.socket.resetAndDestroy();
      return true;
    case 'status': {
      const status = fault.status ?? 500;
      send(response, fault, status, 'application/json', envelope(status, `HTTP ${status} by request`));
      return true;
    }
    case 'unauthorized':
      send(response, fault, 401, 'application/json', envelope(401, 'Unauthorized by request'));
      return true;
    case 'html':
      send(response, fault, fault.status ?? 200, 'text/html', HTML);
      return true;
    case 'garbage':
      send(response, fault, fault.status ?? 200, 'application/json', garbage(fault.bytes));
      return true;
    case 'redirect':
      response.set('location', 'http://127.0.0.1:1/elsewhere');
      send(response, fault, fault.status ?? 302, 'text/html', '');
      return true;
  }
}

/** Sends the real answer byte by byte: an idle time-out never ends it, only a deadline does. */
export async function drip(response: Response, text: string, pauseMs = 1000) {
  for (const byte of Buffer.from(text)) {
    if (response.destroyed) return;
    response.write(Buffer.of(byte));
    await wait(pauseMs, undefined, { ref: false });
  }
  response.end();
}

function send(response: Response, fault: Fault, status: number, type: string, standard: string) {
  const { body } = fault;
  const text = body === undefined ? standard : typeof body === 'string' ? body : JSON.stringify(body);
  response.status(status).set('content-type', type).set(fault.headers).end(text);
}

function garbage(bytes: number | undefined): string {
  return bytes === undefined ? BROKEN_JSON : '{"response":"'.padEnd(bytes, 'x');
}

function envelope(status: number, message: string): string {
  return JSON.stringify(new HttpError(status, message).answer.body);
}
