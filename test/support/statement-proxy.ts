// A line to PostgreSQL that knows where one statement ends and the next begins: what the server has done is known to the
// test, and the answer has not reached the client yet.

import { connect, type Socket } from 'node:net';
import { endTogether, listenInFront } from './listen-in-front';

export type StatementProxy = {
  /** Of the same database, through the proxy. */
  url: string;
  /**
   * From now on statements are counted. When the server has answered number `last`, `act` is called instead of passing
   * the answer on, and nothing passes any more until the next call.
   */
  stopAfter(last: number, act: () => void): void;
  /**
   * The same at the next statement that holds `text`, such as its name: `before` the server sees it, or `after` it has
   * been executed.
   */
  stopAt(when: 'before' | 'after', text: string, act: () => void): void;
  /** Statements since then. */
  count(): number;
  close(): Promise<void>;
};

type Stop = { last: number; at?: { when: 'before' | 'after'; text: string }; act: () => void };

export async function startStatementProxy(databaseUrl: string): Promise<StatementProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let statements = 0;
  let stop: Stop = { last: Number.POSITIVE_INFINITY, act: () => undefined };
  let isStopped = false;

  const { url, close } = await listenInFront(databaseUrl, (client) => {
    const upstream = connect(Number(target.port), target.hostname);
    // Set while the answer that is not passed on is awaited here.
    let awaited: Stop | null = null;
    const fromClient = frames({ isFirstUntyped: true });
    const fromServer = frames({ isFirstUntyped: false });
    endTogether(sockets, client, upstream);
    client.on('data', (chunk) => {
      if (isStopped) return;
      for (const type of fromClient(chunk)) {
        // Sync ends a statement of the extended protocol; Query is one of the simple protocol.
        if (type !== 'S' && type !== 'Q') continue;
        statements += 1;
        if (statements === stop.last) awaited = stop;
      }
      if (stop.at && chunk.includes(stop.at.text)) {
        if (stop.at.when === 'after') awaited = stop;
        else {
          isStopped = true;
          return stop.act();
        }
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (isStopped) return;
      const isDone = fromServer(chunk).includes('Z');
      // What was awaited for an earlier call passes.
      if (isDone && awaited === stop) {
        isStopped = true;
        stop.act();
      } else client.write(chunk);
      if (isDone) awaited = null;
    });
  });
  return {
    url,
    stopAfter(last, act) {
      [statements, stop, isStopped] = [0, { last, act }, false];
    },
    stopAt(when, text, act) {
      [statements, stop, isStopped] = [0, { last: Number.POSITIVE_INFINITY, at: { when, text }, act }, false];
    },
    count: () => statements,
    async close() {
      for (const socket of sockets) socket.destroy();
      await close();
    },
  };
}

/** Returns a reader that gives the types of the messages that end in a chunk, across chunks. */
function frames({ isFirstUntyped }: { isFirstUntyped: boolean }): (chunk: Buffer) => string[] {
  let rest = Buffer.alloc(0);
  let isUntyped = isFirstUntyped;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const types: string[] = [];
    for (;;) {
      const head = isUntyped ? 0 : 1;
      if (rest.length < head + 4) return types;
      const length = head + rest.readUInt32BE(head);
      if (rest.length < length) return types;
      if (!isUntyped) types.push(String.fromCharCode(rest[0] as number));
      isUntyped = false;
      rest = rest.subarray(length);
    }
  };
}
