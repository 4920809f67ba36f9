// `npm start` starts only the parts that the environment does not name, and prints a banner with addresses and credentials.

import { once } from 'node:events';
import { createServer } from 'node:net';
import { banner } from '../../src/local/banner';
import { checkPorts } from '../../src/local/check-ports';
import { freePorts } from '../../src/local/postgres/free-port';
import { isProduction, readLocalSettings } from '../../src/local/settings';

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
  for (const NODE_ENV of ['prod', 'Production', 'live'])
    expect(() => isProduction({ NODE_ENV })).toThrow('NODE_ENV must be "production"');
});

test('all busy ports are named at once, with their processes and the settings', async () => {
  const [merchantPort = 0, sandboxPort = 0] = await freePorts(2);
  const ports = { PORT: merchantPort, SANDBOX_PORT: sandboxPort };
  const taken = Object.values(ports).map((port) => createServer().listen(port, '127.0.0.1'));
  await Promise.all(taken.map((server) => once(server, 'listening')));
  try {
    const { message } = await checkPorts({ ...settings, merchantPort, sandboxPort }).then(
      () => new Error('they are free'),
      (error: Error) => error,
    );
    const lines = message.split('\n');
    expect(lines).toHaveLength(taken.length);
    for (const [index, [name, port]] of Object.entries(ports).entries()) {
      const begins = `^Port ${port} is in use by .*\\(process ${process.pid}\\)`;
      expect(lines[index]).toMatch(new RegExp(`${begins}: stop what listens there, or set ${name} `));
    }
  } finally {
    for (const server of taken) server.close();
  }
});

const settings = { dataDir: '.data', merchantPort: 3000, sandboxPort: 4010, databaseUrl: null };

test('the banner does not show the password of a database that is set, nor a test card or a console beside a service that is set', () => {
  expect(banner(settings, {})).toContain('/console');
  expect(banner({ ...settings, databaseUrl: DATABASE.DATABASE_URL }, DATABASE)).not.toContain('mine');
  const text = banner({ ...settings, sandboxPort: null }, SERVICE);
  expect(text).toContain('https://service.example');
  expect(text).not.toMatch(/4242|console/);
});

test('the banner ends in calls that can be copied, with the ports and the key of this start', () => {
  const text = banner({ ...settings, merchantPort: 3210 }, { API_KEY: 'first-key,second-key' }, 60);
  expect(text).toContain(
    [`curl 'http://localhost:3210/api/orders' \\`, `-H "Authorization: Bearer first-key" \\`].join(
      '\n      ',
    ),
  );
  expect(text).toContain("curl 'http://localhost:4010/_sandbox/payments'");
  expect(text).toContain("curl 'http://localhost:3210/api/orders/tea-1'");
});
