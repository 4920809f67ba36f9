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

function isSigned(secret: string, text: string, headers: IncomingHttpHeaders, nowMs: number): boolean {
  const { now } = Date;
  // The library has no other way to be told the time.
  Date.now = () => nowMs;
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  } finally {
    Date.now = now;
  }
}
