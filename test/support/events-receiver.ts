// A system of the shop to which events are posted (ORDER_EVENTS_URL): it verifies the signature of each as a receiver of
// Standard Webhooks does, and answers as the test says.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export const EVENTS_SECRET = `whsec_${Buffer.from('an-event-secret-of-the-tests-012').toString('base64')}`;

export type ReceivedEvent = { id: string; isSigned: boolean; body: any };
/** Answers one request; without an answer it stays open. */
type Answer = (response: ServerResponse, event: ReceivedEvent) => void;

export type EventsReceiver = {
  url: string;
  received: ReceivedEvent[];
  /** `{order}:{version} {type}` of what was received, in its order. */
  told(): string[];
  answerWith(answer: Answer): void;
  close(): Promise<void>;
};

export const accept: Answer = (response) => void response.writeHead(204).end();

/** @param secret the one that this receiver knows */
export async function startEventsReceiver(secret = EVENTS_SECRET): Promise<EventsReceiver> {
  const received: ReceivedEvent[] = [];
  let answer = accept;
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const event = {
        id: String(request.headers['webhook-id']),
        isSigned: isSigned(secret, text, request.headers),
        body: JSON.parse(text),
      };
      received.push(event);
      answer(response, event);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/orders`,
    received,
    told: () => received.map(({ id, body }) => `${id} ${body.type}`),
    answerWith: (next) => void (answer = next),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isSigned(secret: string, text: string, headers: IncomingHttpHeaders): boolean {
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
