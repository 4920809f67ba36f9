// Connections to the payment service, kept open by undici, which costs less than Node's own agent. A request is sent once, or
// not at all.

import { Agent, errors, type Dispatcher } from 'undici';
import type { Deadline } from './deadline';

export type Exchange = {
  deadline: Deadline;
  /** Of the answer's body. */
  maxBytes: number;
  /** Becomes true when the request was given a connection, just before its first byte is written. */
  isSent: boolean;
};

type Message = { method: string; url: string; headers: Record<string, string>; body?: string | undefined };
export type Answer = { status: number; headers: Record<string, unknown>; text: string };

/** Shorter than the five seconds after which many servers close an idle connection: a request must not meet that. */
const IDLE_CONNECTION_MS = 4_000;

/** @param connections to each host: as many requests are under way at most, and the others wait */
export function openConnections(connections: number) {
  const agent = new Agent({
    connections,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    keepAliveMaxTimeout: IDLE_CONNECTION_MS,
    // One deadline over everything stands in their place.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { rejectUnauthorized: true }, // whatever the environment says
  });
  return {
    send: (message: Message, exchange: Exchange): Promise<Answer> =>
      new Promise((resolve, reject) => {
        const { deadline } = exchange;
        const receiver = createReceiver(exchange, (error, answer) => {
          deadline.onOver = null;
          if (error) reject(error);
          else resolve(answer);
        });
        if (deadline.isOver) return receiver.giveUp();
        deadline.onOver = receiver.giveUp;
        agent.dispatch(toDispatchOptions(message), receiver);
      }),
  };
}

function toDispatchOptions({ method, url, headers, body }: Message) {
  const [, origin = '', path = ''] = ADDRESS.exec(url) ?? [];
  return { origin, path: path || '/', method, headers, body: body ?? null };
}

/** Cheaper than a `URL`, and enough for an address of ours. */
const ADDRESS = /^(https?:\/\/[^/?]+)(.*)$/;

/** An answer that is not read to its end. */
export class AnswerError extends Error {}

const UTF8 = new TextDecoder();

function createReceiver(exchange: Exchange, done: (error: Error | null, answer: Answer) => void) {
  const answer: Answer = { status: 0, headers: {}, text: '' };
  const chunks: Buffer[] = [];
  let length = 0;
  let controller: Dispatcher.DispatchController | undefined;

  function end(error: Error | null): void {
    done(error, answer);
  }

  return {
    giveUp(): void {
      controller?.abort(GIVEN_UP);
      end(GIVEN_UP);
    },
    onRequestStart(started: Dispatcher.DispatchController): void {
      controller = started;
      // It has waited for a connection for too long.
      if (exchange.deadline.isOver) return started.abort(GIVEN_UP);
      exchange.isSent = true;
    },
    onResponseStart(_: unknown, status: number, headers: Record<string, unknown>): void {
      answer.status = status;
      answer.headers = headers;
      // None was asked for. What it unpacks to has no limit.
      if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity')
        controller?.abort(new AnswerError('the answer is packed'));
    },
    onResponseData(_: unknown, chunk: Buffer): void {
      length += chunk.length;
      chunks.push(chunk);
      if (length > exchange.maxBytes) controller?.abort(new AnswerError('the answer is too large'));
    },
    onResponseEnd(): void {
      answer.text = UTF8.decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
      end(null);
    },
    onResponseError(_: unknown, error: Error): void {
      end(isNoHttp(error) ? new AnswerError('the answer is not HTTP') : error);
    },
  };
}

function isNoHttp(error: Error): boolean {
  return NO_HTTP.some((kind) => error instanceof kind);
}
const NO_HTTP = [
  errors.HTTPParserError,
  errors.HeadersOverflowError,
  errors.ResponseContentLengthMismatchError,
];

const GIVEN_UP = new Error('given up');
