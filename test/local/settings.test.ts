// `npm start` starts only what the environment does not name already, and ends with a text that shows addresses and
// credentials, and no password that somebody has set.

import { banner } from '../../src/local/banner';
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
