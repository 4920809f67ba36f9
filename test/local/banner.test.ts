// `npm start` ends with a text that shows addresses and credentials, and no password that somebody has set.

import { banner } from '../../src/local/banner';

const settings = { dataDir: '.data', merchantPort: 3000, sandboxPort: 4010, databaseUrl: null };
const environment = {
  API_KEY: 'the-api-key',
  DATABASE_URL: 'postgresql://merchant:embedded@127.0.0.1:5651/merchant',
  SERVICE_KEY: 'sandbox_key',
};

describe('the banner', () => {
  test('shows addresses, credentials and a card to try, aligned', () => {
    const lines = banner(settings, environment).split('\n');
    const column = (text: string) => lines.find((line) => line.includes(text))?.indexOf(text);
    const pages = ['http://localhost:3000/cards/new', 'http://localhost:3000/docs'];
    const shown = [...pages, 'http://localhost:4010/console', 'the-api-key'];
    const columns = [...shown, 'sandbox_key', '4242-4242-4242-4242', 'postgresql:'].map(column);
    expect(new Set(columns).size).toBe(1);
  });

  test('does not show the password of a database that DATABASE_URL names', () => {
    const own = { ...settings, databaseUrl: 'postgresql://me:mine@db/x' };
    expect(banner(own, { ...environment, DATABASE_URL: own.databaseUrl })).not.toContain('mine');
  });

  test('names the service and offers no test card where SERVICE_BASE_URL is set', () => {
    const text = banner({ ...settings, sandboxPort: null }, { SERVICE_BASE_URL: 'https://service.example' });
    expect(text).toContain('https://service.example');
    expect(text).not.toContain('4242');
  });
});
