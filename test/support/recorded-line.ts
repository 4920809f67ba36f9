// A proxy between merchant and sandbox that records bodies, for fields that the service accepts but never shows: the tax-free
// part, the account of a refund.

import { startHttpServer } from './http-server';
import { openForAll } from './open-between';
import { startWorld, type WorldOptions } from './world';

/** One for all tests of a file. */
export function useRecordedWorld(options?: WorldOptions) {
  return openForAll(() => startRecordedWorld(options));
}

async function startRecordedWorld(options: WorldOptions = {}) {
  const bodies: { path: string; body: Record<string, any> }[] = [];
  let target = '';
  const line = await startHttpServer(({ method = '', url: path = '', headers, body }, response) => {
    if (body !== '') bodies.push({ path, body: JSON.parse(body) as Record<string, any> });
    const { authorization = '' } = headers;
    fetch(`${target}${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === '' ? {} : { body }),
    })
      .then(async (answer) => {
        response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
        response.end(await answer.text());
      })
      .catch(() => response.destroy());
  });
  const environment = { SERVICE_BASE_URL: line.url, ...options.environment };
  const world = await startWorld({ ...options, environment });
  target = world.sandbox.url;
  const close = world.close;
  return Object.assign(world, {
    /** The bodies sent to this path, oldest first. */
    sent: (path: string) => bodies.filter((each) => each.path === path).map(({ body }) => body),
    async close() {
      await close();
      await line.close();
    },
  });
}
