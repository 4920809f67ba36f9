// Proxies in front of PostgreSQL that a test controls: one that stops at a statement, and one that freezes connections.

import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Listens on a free port in front of a program: `url` is its URL through this proxy, and `connectOn` connects to it. */
export async function listenInFront(
  programUrl: string,
  onClient: (client: Socket, connectOn: () => Socket) => void,
) {
  const url = new URL(programUrl);
  const [port, host] = [Number(url.port), url.hostname];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    // Otherwise each statement, whose messages are written one by one, waits for a delayed acknowledgement of 40 ms.
    socket.setNoDelay();
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => onClient(keep(client), () => keep(connect(port, host))));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const endAll = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: url.href,
    endAll,
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve));
      endAll();
      await closed;
    },
  };
}

/** If one socket closes, the other is closed as well. */
export function endTogether(client: Socket, upstream: Socket): void {
  client.on('close', () => upstream.destroy());
  upstream.on('close', () => client.destroy());
}

export type FreezingProxy = Awaited<ReturnType<typeof startFreezingProxy>>;

export async function startFreezingProxy(databaseUrl: string) {
  const lines = new Set<{ client: Socket; upstream: Socket }>();
  let swallowed = 0;
  let swallowsNew = false;

  const { url, close } = await listenInFront(databaseUrl, (client, connectOn) => {
    if (swallowsNew) return void client.resume();
    const upstream = connectOn();
    const line = { client, upstream };
    lines.add(line);
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream])
      socket.on('close', () => {
        // The other end of a frozen connection is not closed.
        if (!lines.delete(line)) return;
        client.destroy();
        upstream.destroy();
      });
  });
  return {
    url,
    /** The number of open connections that are not frozen. */
    open: () => lines.size,
    /** Freezes open connections for ever: all, or the `count` with the most data from the client. */
    freeze(count = lines.size) {
      const busiest = [...lines].sort((one, other) => other.client.bytesRead - one.client.bytesRead);
      for (const line of busiest.slice(0, count)) {
        lines.delete(line);
        const { client, upstream } = line;
        client.unpipe(upstream).on('data', () => (swallowed += 1));
        client.resume();
        upstream.unpipe(client).resume();
      }
    },
    /** Whether new connections are accepted but never answered. */
    swallowNew: (isOn: boolean) => void (swallowsNew = isOn),
    /** The number of writes of clients into frozen connections. */
    swallowed: () => swallowed,
    close,
  };
}

export type StatementProxy = Awaited<ReturnType<typeof startStatementProxy>>;

/** A statement with all its messages. */
type Statement = { isCounted: boolean; bytes: Buffer };
type Stop = { last: number; at?: { when: 'before' | 'after'; text: string }; act: () => void };

export async function startStatementProxy(databaseUrl: string) {
  let statements = 0;
  let stop: Stop = { last: Number.POSITIVE_INFINITY, act: () => undefined };
  let isStopped = false;
  /** Connections of which a stop has lost something. They would hang for ever. */
  const lost = new Set<Socket>();
  const begin = (next: Stop): void => {
    [statements, stop, isStopped] = [0, next, false];
    for (const client of lost) client.destroy();
    lost.clear();
  };

  const { url, close } = await listenInFront(databaseUrl, (client, connectOn) => {
    const upstream = connectOn();
    // Set while the proxy waits for the answer to withhold. Later statements are held.
    let awaited: { stop: Stop; answer: Buffer[]; held: Statement[] } | null = null;
    // The server is also ready once before the first statement.
    let unanswered = 1;
    const fromClient = readMessages({ isFirstUntyped: true });
    const fromServer = readMessages({ isFirstUntyped: false });
    let parts: Buffer[] = [];
    endTogether(client, upstream);
    client.on('data', (chunk) => {
      for (const { type, bytes } of fromClient(chunk)) {
        if (isStopped) return void lost.add(client);
        parts.push(bytes);
        if (PARTS_OF_STATEMENT.has(type)) continue;
        // Sync ends a statement of the extended protocol; Query is one of the simple protocol.
        const statement = { isCounted: type === 'S' || type === 'Q', bytes: Buffer.concat(parts) };
        parts = [];
        if (awaited) awaited.held.push(statement);
        else send(statement);
      }
    });
    function send({ isCounted, bytes }: Statement): void {
      if (isCounted) statements += 1;
      const isNamed = stop.at !== undefined && bytes.includes(stop.at.text);
      if (isNamed && stop.at?.when === 'before') {
        isStopped = true;
        lost.add(client);
        return stop.act();
      }
      if (isCounted) unanswered += 1;
      if (isNamed || (isCounted && statements === stop.last)) awaited = { stop, answer: [], held: [] };
      upstream.write(bytes);
    }
    upstream.on('data', (chunk) => {
      for (const { type, bytes } of fromServer(chunk)) {
        if (isStopped) return void lost.add(client);
        if (!awaited || unanswered > 1) client.write(bytes);
        else awaited.answer.push(bytes);
        if (type !== 'Z') continue;
        unanswered -= 1;
        if (!awaited || unanswered > 0) continue;
        const { stop: wanted, answer, held } = awaited;
        awaited = null;
        if (wanted === stop) {
          isStopped = true;
          lost.add(client);
          return stop.act();
        }
        // An answer withheld for an earlier call is passed on.
        for (const message of answer) client.write(message);
        for (const statement of held) send(statement);
      }
    });
  });
  return {
    url,
    /**
     * Counts statements from now on. When the server has answered number `last`, calls `act` instead of passing on the answer, and
     * passes nothing until the next call.
     */
    stopAfter(last: number, act: () => void) {
      begin({ last, act });
    },
    /** The same for the next statement that contains `text`, such as its name: `before` or `after` its execution. */
    stopAt(when: 'before' | 'after', text: string, act: () => void) {
      begin({ last: Number.POSITIVE_INFINITY, at: { when, text }, act });
    },
    /** The number of statements since that call. */
    count: () => statements,
    close,
  };
}

/** Parse, Bind, Describe, Execute and Close: a statement of the extended protocol is several messages. */
const PARTS_OF_STATEMENT = new Set(['P', 'B', 'D', 'E', 'C']);

/** Returns a parser that takes chunks and returns the complete messages. An untyped message has the type ''. */
function readMessages({ isFirstUntyped }: { isFirstUntyped: boolean }) {
  let rest = Buffer.alloc(0);
  let isUntyped = isFirstUntyped;
  return (chunk: Buffer): { type: string; bytes: Buffer }[] => {
    rest = Buffer.concat([rest, chunk]);
    const messages = [];
    for (;;) {
      const head = isUntyped ? 0 : 1;
      if (rest.length < head + 4) return messages;
      const length = head + rest.readUInt32BE(head);
      if (rest.length < length) return messages;
      messages.push({
        type: isUntyped ? '' : String.fromCharCode(rest[0] as number),
        bytes: rest.subarray(0, length),
      });
      isUntyped = false;
      rest = rest.subarray(length);
    }
  };
}
