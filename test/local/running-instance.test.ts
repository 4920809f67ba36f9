// A second `npm start` in the same folder finds the one that runs, and is not misled by the note of one that was killed.

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPortHolder } from '../../src/local/port-holder';
import { findRunningInstance, noteRunningInstance } from '../../src/local/running-instance';

const settings = {
  dataDir: mkdtempSync(join(tmpdir(), 'running-')),
  merchantPort: 3000,
  sandboxPort: 4010,
  databaseUrl: null,
};
afterAll(() => rmSync(settings.dataDir, { recursive: true }));

const note = (text: string) => writeFileSync(join(settings.dataDir, 'running-3000.json'), text);

test.each([
  ['a process that is gone', JSON.stringify({ pid: 999_999_999, sandboxPort: 4010 })],
  ['a process that is another program', JSON.stringify({ pid: process.ppid, sandboxPort: 4010 })],
  ['nothing that can be read', '{'],
])('a note that names %s counts for nothing', (_, text) => {
  note(text);
  expect(findRunningInstance(settings)).toBeNull();
});

test('a note is taken away at the end', () => {
  const forget = noteRunningInstance(settings);
  // Its own is not another one.
  expect(findRunningInstance(settings)).toBeNull();
  forget();
  expect(readdirSync(settings.dataDir)).toEqual([]);
});

test('whoever listens on a port is named by program and process, without arguments', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  expect(findPortHolder(port)).toMatch(new RegExp(`^node\\S*( \\S+)? \\(process ${process.pid}\\)$`));
  await new Promise((resolve) => server.close(resolve));
  expect(findPortHolder(port)).toBeNull();
});
