// The calls that /docs shows run as they are, in each language whose interpreter is on this machine.

import { spawnSync } from 'node:child_process';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { API } from '../../../src/merchant/features';
import { docsPage } from '../../../src/merchant/options/api-docs/docs-page';
import { openapiDocument } from '../../../src/merchant/options/api-docs/openapi-document';
import { snippetsOf } from '../../../src/merchant/options/api-docs/snippets';
import { API_KEY } from '../../support/config';
import { useWorld } from '../../support/use-world';

const world = useWorld();
const folder = mkdtempSync(join(tmpdir(), 'snippets-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The file of a snippet, what runs it, and a call that succeeds if it is here. Kotlin needs a compiler that few machines have. */
const RUNNERS: Record<string, { file: string; command: string; test: string[] }> = {
  curl: { file: 'call.sh', command: 'sh', test: ['-c', 'true'] },
  node: { file: 'call.mjs', command: 'node', test: ['--version'] },
  python: { file: 'call.py', command: 'python3', test: ['--version'] },
  php: { file: 'call.php', command: 'php', test: ['-r', 'curl_init();'] },
  java: { file: 'Call.java', command: 'java', test: ['-version'] },
};
/** A program of a second: Java compiles it less thoroughly, and with fewer threads. */
const SHORT_LIVED_JAVA = { JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' };
const there = Object.entries(RUNNERS).filter(
  ([, { command, test: args }]) => spawnSync(command, args).status === 0,
);

const operations = docsPage(openapiDocument(API), API.errors).groups.flatMap((group) => group.operations);

async function run(language: string, operation: string): Promise<string> {
  const { request } = operations.find(({ anchor }) => anchor === operation) ?? {};
  if (!request) throw new Error(`${operation} is not described`);
  const { code = '' } = snippetsOf(request, world.url).find((each) => each.language === language) ?? {};
  const { file, command } = RUNNERS[language] ?? { file: '', command: '' };
  const path = join(folder, file);
  writeFileSync(path, code);
  const { stdout } = await promisify(execFile)(command, [path], {
    env: { ...process.env, ...SHORT_LIVED_JAVA, API_KEY },
  });
  return stdout;
}

test.each(there)('%s registers the order of the example, and reads it again', async (language) => {
  expect(await run(language, 'post_api_orders')).toContain('"merchant_uid":"order-1001"');
  expect(await run(language, 'get_api_orders_merchant_uid')).toContain('"status":"open"');
});

test.each(there)('%s sends a body with lists and objects, and shows a refusal', async (language) => {
  expect(await run(language, 'post_api_schedules')).toContain('"code":"billing_key_not_found"');
});

test('every route has a call in each language, without a key', () => {
  for (const { request } of operations) {
    const snippets = snippetsOf(request, 'http://localhost:3000');
    expect(snippets.map(({ language }) => language)).toEqual([...Object.keys(RUNNERS), 'kotlin']);
    for (const { code } of snippets) {
      expect(code).toContain(`http://localhost:3000${request.path}`);
      expect(code.includes('API_KEY')).toBe(request.needsKey);
    }
  }
});
