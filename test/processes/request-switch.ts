// One address in front of several merchants, as a load balancer has it while they are restarted one by one: requests go to
// those that are in it without order, and one that is taken out first finishes what it has.

import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../support/eventually';

export type RequestSwitch = {
  url: string;
  putIn(port: number): void;
  /** Resolves when it has no request under way. */
  takeOut(port: number): Promise<void>;
  close(): Promise<void>;
};

export async function startRequestSwitch(): Promise<RequestSwitch> {
  let ports: number[] = [];
  let turn = 0;
  const underWay = new Map<number, number>();

  // The answers say how long the merchants keep a connection. One that the switch closed before would meet a request.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, response) => {
    // The same draws in every run. Strictly in turn, requests that come in pairs would always meet the same merchant.
    turn = (Math.imul(turn, 1103515245) + 12345) >>> 0;
    const port = ports[(turn >>> 16) % ports.length];
    if (port === undefined) return response.writeHead(502).end();
    underWay.set(port, (underWay.get(port) ?? 0) + 1);
    response.once('close', () => underWay.set(port, (underWay.get(port) ?? 0) - 1));
    const { method, url: path, headers } = incoming;
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    outgoing.on('error', () => response.writeHead(502).end());
    return incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    putIn: (port) => void ports.push(port),
    async takeOut(port) {
      ports = ports.filter((each) => each !== port);
      await eventually(() => (underWay.get(port) ?? 0) === 0);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
