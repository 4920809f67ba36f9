// `npm start` starts only what the environment does not name already, shows each step, and ends with a text that shows addresses
// and credentials. A second one in the same folder finds the one that runs.

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { banner } from '../../src/local/banner';
import { findPortHolder } from '../../src/local/port-holder';
import { findRunningInstance, noteRunningInstance } from '../../src/local/running-instance';
import { createScreen } from '../../src/local/screen';
import { isProduction, readLocalSettings } from '../../src/local/settings';
import { nextTurn } from '../support/eventually';

const SERVICE = { SERVICE_BASE_URL: 'https://service.example' };
const DATABASE = { DATABASE_URL: 'postgresql://me:mine@db/x' };

test.each([
  ['nothing', {}, { merchantPort: 3000, sandboxPort: 4010, databaseUrl: null }],
  ['a service', SERVICE, { sandboxPort: null, databaseUrl: null }],
  ['a database', DATABASE, { sandboxPort: 4010, databaseUrl: DATABASE.DATABASE_URL }],
])('with %s set, what is missing is started', (_, environment, started) => {
  expect(readLocalSettings(environment)).toMatchObject(started);
});

test.each(['0', '65536', 'http', '30.5'])('the port %s is refused by the name of its setting', (port) => {
  expect(() => readLocalSettings({ SANDBOX_PORT: port })).toThrow('SANDBOX_PORT must be a port');
});

test('NODE_ENV is refused before anything is started where it is none', () => {
  expect(isProduction({})).toBe(false);
  for (const NODE_ENV of ['prod', 'Production', 'live'])
    expect(() => isProduction({ NODE_ENV })).toThrow(
      'NODE_ENV must be "production", "development" or "test".',
    );
});

describe('the banner', () => {
  const settings = { dataDir: '.data', merchantPort: 3000, sandboxPort: 4010, databaseUrl: null };
  const environment = {
    API_KEY: 'the-api-key',
    DATABASE_URL: 'postgresql://merchant:embedded@127.0.0.1:5651/merchant',
    SERVICE_KEY: 'sandbox_key',
  };

  test('shows addresses, credentials and a card to try, aligned', () => {
    const lines = banner(settings, environment).split('\n');
    const column = (text: string) => lines.find((line) => line.includes(text))?.indexOf(text);
    const pages = ['http://localhost:3000/cards/new', 'http://localhost:3000/docs'];
    const shown = [...pages, 'http://localhost:4010/console', 'the-api-key'];
    const columns = [...shown, 'sandbox_key', '4242-4242-4242-4242', 'postgresql:'].map(column);
    expect(new Set(columns).size).toBe(1);
  });

  test('does not show the password of a database that is set, nor a test card beside a service that is set', () => {
    const own = { ...settings, databaseUrl: DATABASE.DATABASE_URL };
    expect(banner(own, { ...environment, ...DATABASE })).not.toContain('mine');
    const text = banner({ ...settings, sandboxPort: null }, SERVICE);
    expect(text).toContain('https://service.example');
    expect(text).not.toContain('4242');
  });
});

describe('the screen', () => {
  const output = (isTTY: boolean) => {
    const written: string[] = [];
    return { isTTY, columns: 40, written, write: (text: string) => written.push(text) };
  };
  const text = ({ written }: { written: string[] }) => written.join('');

  test('the lines of a program wait for the end of the start, and come at once after it', async () => {
    const [log, steps, program] = [output(false), output(false), new PassThrough()];
    const screen = createScreen(log, steps);
    screen.follow(program, (line) => (line === 'quiet' ? '' : `said ${line}\n`));
    program.write('one\nquiet\n');
    await screen.step('PostgreSQL', nextTurn);
    await nextTurn();
    expect(text(log)).toBe('');
    expect(text(steps)).toBe('PostgreSQL …\n');
    screen.release();
    expect(text(log)).toBe('said one\n');
    program.write('two\n');
    await nextTurn();
    expect(text(log)).toBe('said one\nsaid two\n');
  });

  test('on a terminal a step is one line that is drawn again, no wider than the terminal', async () => {
    const steps = output(true);
    const screen = createScreen(output(true), steps);
    await screen.step('Migrations of the database that is new', nextTurn);
    const lines = text(steps).split('\r\x1b[K');
    expect(lines[1]).toMatch(/^ {2}Migrations of the database +\d+\.\d s …$/);
    expect(lines[2]).toMatch(/^ {2}Migrations of the database +\d+\.\d s\n$/);
    for (const line of lines) expect(line.trimEnd().length).toBeLessThan(40);
  });

  test('a step that fails is not said to be done, and its error is thrown', async () => {
    const steps = output(true);
    const screen = createScreen(output(true), steps);
    await expect(screen.step('Merchant', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    screen.release();
    expect(text(steps)).not.toContain('\n');
  });
});

describe('a second start', () => {
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
});
