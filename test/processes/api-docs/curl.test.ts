// The curl commands that /docs shows run as they are.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { API } from '../../../src/merchant/features';
import { openapiDocument } from '../../../src/merchant/options/api-docs/openapi-document';
import { API_KEY } from '../../support/config';
import { useWorld } from '../../support/use-world';

const world = useWorld();

/** Runs the command of an operation, and returns what it prints. */
async function run(method: 'get' | 'post', path: string): Promise<string> {
  const { description } = openapiDocument(API, { url: world.url }).paths[path]?.[method] ?? {};
  const [, command = ''] = /```sh\n(.*)\n```/s.exec(description ?? '') ?? [];
  const env = { ...process.env, API_KEY };
  return (await promisify(execFile)('sh', ['-c', command], { env })).stdout;
}

test('curl registers the order of the example, and reads it again', async () => {
  expect(await run('post', '/api/orders')).toContain('"merchant_uid":"order-1001"');
  expect(await run('get', '/api/orders/{merchant_uid}')).toContain('"status":"open"');
});

test('curl sends a body with lists and objects, and shows a refusal', async () => {
  expect(await run('post', '/api/schedules')).toContain('"code":"billing_key_not_found"');
});
