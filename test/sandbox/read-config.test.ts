// The settings of the sandbox: what is refused, and what the others default to.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/sandbox/read-config';

test.each([
  [{ NODE_ENV: 'production' }, 'NODE_ENV'],
  [{ SANDBOX_PORT: '70000' }, 'SANDBOX_PORT'],
  [{ SANDBOX_HOST: '192.168.0.1' }, 'SANDBOX_HOST'],
  [{ SERVICE_SECRET: '' }, 'SERVICE_SECRET'],
  [{ SERVICE_SECRET: '"abc"' }, 'SERVICE_SECRET must have neither quotation marks'],
  [{ SERVICE_KEY: 'abc # comment' }, 'SERVICE_KEY must have neither white space'],
  [{ SERVICE_API_KEY: 'abc\r' }, 'SERVICE_API_KEY must have neither'],
  [{ SERVICE_KEY_FILE: '/not/there' }, 'SERVICE_KEY_FILE: the file does not exist'],
  [{ SERVICE_KEY_FILE: '/' }, 'SERVICE_KEY_FILE: the file is a folder'],
  [{ SERVICE_KEY_FILE: '/dev/null' }, 'SERVICE_KEY_FILE: the file is empty'],
  [{ SERVICE_KEY_FILE: '/dev/null', SERVICE_KEY: 'abc' }, 'SERVICE_KEY_FILE is set as well as SERVICE_KEY'],
  [{ SANDBOX_WEBHOOK_URL: 'localhost' }, 'SANDBOX_WEBHOOK_URL'],
])('the settings %j are refused', (environment, name) => {
  expect(() => readConfig(environment)).toThrow(name);
});

test('a secret is read from a file, with one line end at its end', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-settings-'));
  const file = join(folder, 'secret');
  for (const end of ['', '\n', '\r\n']) {
    writeFileSync(file, `of-a-file${end}`);
    expect(readConfig({ SERVICE_SECRET_FILE: file }).serviceSecret).toBe('of-a-file');
  }
  rmSync(folder, { recursive: true });
});

test('each loopback address is accepted, 127.0.0.1 by default, and in a container every address', () => {
  expect(readConfig({})).toMatchObject({ port: 4010, host: '127.0.0.1', namePrefix: 'svc' });
  for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost'])
    expect(readConfig({ SANDBOX_HOST: host }).host).toBe(host);
  const inContainer = { SANDBOX_IN_CONTAINER: 'true', SANDBOX_HOST: '0.0.0.0' };
  expect(readConfig(inContainer).host).toBe('0.0.0.0');
});
