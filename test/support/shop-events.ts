// A shop's receiver of order events.

import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { startHttpServer } from './http-server';

export const EVENTS_SECRET = `whsec_${Buffer.from('an-event-secret-of-the-tests-012').toString('base64')}`;

export type ReceivedEvent = { id: string; isSigned: boolean; body: any };
/** Answers one request; without an answer it stays open. */
type Answer = (response: ServerResponse, event: ReceivedEvent) => void;

export type EventsReceiver = Awaited<ReturnType<typeof startEventsReceiver>>;

export const accept: Answer = (response) => void response.writeHead(204).end();

/**
 * @param secret the secret of this receiver
 * @param nowMs its clock, for the age of a signature
 */
export async function startEventsReceiver(secret = EVENTS_SECRET, nowMs = Date.now) {
  const received: ReceivedEvent[] = [];
  let answer = accept;
  const server = await startHttpServer(({ headers, body }, response) => {
    const id = String(headers['webhook-id']);
    const event = { id, isSigned: isSigned(secret, body, headers, nowMs()), body: JSON.parse(body) };
    received.push(event);
    answer(response, event);
  });
  return {
    url: `${server.url}/hooks/orders`,
    received,
    /** The received events in order, as `{order}:{version} {type}`. */
    told: () => received.map(({ id, body }) => `${id} ${body.type}`),
    answerWith: (next: Answer) => void (answer = next),
    close: server.close,
  };
}

/** Signed now and with the secret, as the library's `verify` says, which knows no clock but the host's. */
function isSigned(secret: string, text: string, headers: IncomingHttpHeaders, nowMs: number): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000);
  const signature = new Webhook(secret).sign(String(headers['webhook-id']), at, text);
  const isNew = Math.abs(nowMs - at.getTime()) <= TOLERANCE_MS;
  return isNew && String(headers['webhook-signature']).split(' ').includes(signature);
}
const TOLERANCE_MS = 5 * 60 * 1000;
