// A line between merchant and sandbox that remembers the bodies on it, for fields that the service takes and shows to
// nobody: the part without tax, the account of a refund. Everything passes as it is.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openBetween } from './open-between';
import { startWorld, type World, type WorldOptions } from './world';

export type RecordedWorld = World & {
  /** The bodies that were sent to such a path, oldest first. */
  sent(path: string): Record<string, any>[];
};

/** One for all tests of a file. */
export function useRecordedWorld(options?: WorldOptions): RecordedWorld {
  return openBetween(
    beforeAll,
    afterAll,
    () => startRecordedWorld(options),
    (world) => world.close(),
  );
}

async function startRecordedWorld(options: WorldOptions = {}): Promise<RecordedWorld> {
  const bodies: { path: string; body: Record<string, any> }[] = [];
  let target = '';
  const line = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      if (text !== '') bodies.push({ path, body: JSON.parse(text) as Record<string, any> });
      const { authorization = '' } = headers;
      fetch(`${target}${path}`, {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        ...(text === '' ? {} : { body: text }),
      })
        .then(async (answer) => {
          response.statusCode = answer.status;
          response.setHeader('content-type', answer.headers.get('content-type') ?? '');
          response.end(await answer.text());
        })
        .catch(() => request.socket.destroy());
    });
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(line.address() as AddressInfo).port}`;
  const world = await startWorld({
    ...options,
    environment: { SERVICE_BASE_URL: url, ...options.environment },
  });
  target = world.sandbox.url;
  const close = world.close;
  return Object.assign(world, {
    sent: (path: string) => bodies.filter((each) => each.path === path).map(({ body }) => body),
    async close() {
      await close();
      line.closeAllConnections();
      await new Promise((resolve) => line.close(resolve));
    },
  });
}
