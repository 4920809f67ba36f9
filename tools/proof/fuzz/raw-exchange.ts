// Writes bytes to a port and reads the answer without an HTTP client, because the bytes need not be HTTP. Connections of
// well-formed requests are reused.

import { connect, type Socket } from 'node:net';

export type Exchange = {
  /** 0: the connection was closed without an answer, or the answer was not HTTP. */
  status: number;
  ms: number;
  kind: 'answered' | 'closed' | 'given up' | 'hang';
};

/** The service waits 30 s (§6.3); the merchant answers within 25 s. */
export const HANG_MS = 25_000;

export type RawClient = {
  /**
   * @param patienceMs the wait for an answer; without one, HANG_MS counts as a hang, and less as a client that disconnects
   * @param isHead the answer has no body
   */
  exchange(bytes: Buffer, options: { keep: boolean; patienceMs: number; isHead: boolean }): Promise<Exchange>;
  close(): void;
};

export function createRawClient(url: string): RawClient {
  const { hostname, port } = new URL(url);
  const idle: Socket[] = [];

  function open(): Socket {
    const known = idle.pop();
    if (known && !known.destroyed && known.writable) return known;
    return connect({ host: hostname, port: Number(port), noDelay: true }).on('error', () => undefined);
  }

  return {
    exchange: (bytes, { keep, patienceMs, isHead }) =>
      new Promise((resolve) => {
        const startedMs = performance.now();
        const socket = keep ? open() : connect(Number(port), hostname).on('error', () => undefined);
        let received: Buffer = Buffer.alloc(0);
        const limit = Math.min(patienceMs, HANG_MS);
        const timer = setTimeout(() => end(patienceMs >= HANG_MS ? 'hang' : 'given up'), limit);
        const onData = (chunk: Buffer) => {
          received = Buffer.concat([received, chunk]);
          const answer = readAnswer(received, isHead);
          if (answer.complete) end('answered');
        };
        const onClose = () => end('closed');
        socket.on('data', onData).once('close', onClose);
        socket.write(bytes);

        function end(kind: Exchange['kind']): void {
          clearTimeout(timer);
          socket.off('data', onData).off('close', onClose);
          const { status, complete, closes } = readAnswer(received, isHead);
          if (keep && complete && !closes && !socket.destroyed) idle.push(socket);
          else socket.destroy();
          resolve({ status, ms: performance.now() - startedMs, kind: status > 0 ? 'answered' : kind });
        }
      }),
    close: () => idle.splice(0).forEach((socket) => socket.destroy()),
  };
}

function readAnswer(bytes: Buffer, isHead: boolean): { status: number; complete: boolean; closes: boolean } {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return { status: 0, complete: false, closes: true };
  const head = bytes.subarray(0, headEnd).toString('latin1');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0);
  // "100 Continue" is followed by the final answer.
  if (status === 100) return readAnswer(bytes.subarray(headEnd + 4), isHead);
  const closes = /\r\nconnection: close/i.test(head);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  const size = bytes.length - headEnd - 4;
  if (isHead || status === 204 || status === 304) return { status, complete: true, closes };
  if (length !== undefined)
    return { status, complete: size >= Number(length), closes: closes || size > Number(length) };
  return { status, complete: bytes.subarray(-5).toString('latin1') === '0\r\n\r\n', closes };
}
