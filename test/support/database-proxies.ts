// Proxies in front of PostgreSQL that a test controls: one that stops at a statement, and one that freezes connections.

import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Listens on a free port in front of a program: `url` is of the same one, through this place. `connectOn` leads on to it. */
export async function listenInFront(
  programUrl: string,
  onClient: (client: Socket, connectOn: () => Socket) => void,
) {
  const url = new URL(programUrl);
  const [port, host] = [Number(url.port), url.hostname];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
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

/** One ends with the other. */
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
        // The other end of a frozen line hears of nothing.
        if (!lines.delete(line)) return;
        client.destroy();
        upstream.destroy();
      });
  });
  return {
    url,
    /** Connections that are open and not frozen. */
    open: () => lines.size,
    /** Freezes open connections for ever: all, or the `count` over which the client has said most. */
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
    /** Whether new connections are taken and never answered. */
    swallowNew: (isOn: boolean) => void (swallowsNew = isOn),
    /** How often a client has written into a frozen connection. */
    swallowed: () => swallowed,
    close,
  };
}

export type StatementProxy = Awaited<ReturnType<typeof startStatementProxy>>;

type Stop = { last: number; at?: { when: 'before' | 'after'; text: string }; act: () => void };

export async function startStatementProxy(databaseUrl: string) {
  let statements = 0;
  let stop: Stop = { last: Number.POSITIVE_INFINITY, act: () => undefined };
  let isStopped = false;

  const { url, close } = await listenInFront(databaseUrl, (client, connectOn) => {
    const upstream = connectOn();
    // Set while the answer that is not passed on is awaited here.
    let awaited: Stop | null = null;
    const fromClient = frames({ isFirstUntyped: true });
    const fromServer = frames({ isFirstUntyped: false });
    endTogether(client, upstream);
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
    /**
     * From now on statements are counted. When the server has answered number `last`, `act` is called instead of passing
     * the answer on, and nothing passes any more until the next call.
     */
    stopAfter(last: number, act: () => void) {
      [statements, stop, isStopped] = [0, { last, act }, false];
    },
    /**
     * The same at the next statement that holds `text`, such as its name: `before` the server sees it, or `after` it has
     * been executed.
     */
    stopAt(when: 'before' | 'after', text: string, act: () => void) {
      [statements, stop, isStopped] = [0, { last: Number.POSITIVE_INFINITY, at: { when, text }, act }, false];
    },
    /** Statements since then. */
    count: () => statements,
    close,
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
