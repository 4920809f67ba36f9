// `npm start` starts only what the environment does not name already.

import { isProduction, readLocalSettings } from '../../src/local/settings';

describe('what npm start starts', () => {
  test('with nothing set: database, sandbox and merchant on the documented ports', () => {
    expect(isProduction({})).toBe(false);
    expect(readLocalSettings({})).toMatchObject({ merchantPort: 3000, sandboxPort: 4010, databaseUrl: null });
  });

  test('with a service set: no sandbox', () => {
    expect(readLocalSettings({ SERVICE_BASE_URL: 'https://service.example' }).sandboxPort).toBeNull();
  });

  test('with a database set: no embedded PostgreSQL', () => {
    expect(readLocalSettings({ DATABASE_URL: 'postgresql://db/x' }).databaseUrl).toBe('postgresql://db/x');
  });

  test('with both: the merchant alone', () => {
    const both = { SERVICE_BASE_URL: 'https://service.example', DATABASE_URL: 'postgresql://db/x' };
    expect(readLocalSettings(both)).toMatchObject({ sandboxPort: null, databaseUrl: 'postgresql://db/x' });
  });

  test.each(['0', '65536', 'http', '30.5'])(
    'refuses the port %s with a sentence that names the setting',
    (port) => {
      expect(() => readLocalSettings({ SANDBOX_PORT: port })).toThrow('SANDBOX_PORT must be a port');
    },
  );
});

test.each(['prod', 'Production', 'live'])('NODE_ENV=%s is refused before anything is started', (NODE_ENV) => {
  expect(() => isProduction({ NODE_ENV })).toThrow('NODE_ENV must be "production", "development" or "test".');
});
