// `doctor` reports a live service without NODE_ENV=production, and placeholders in the legal pages.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judgeSession } from '../../../src/merchant/cli/check-database';
import { checkSignatures } from '../../../src/merchant/cli/check-service';
import { checkLegalPages, checkMode } from '../../../src/merchant/cli/doctor-checks';
import { loadConfig } from '../../../src/merchant/settings';
import { PRODUCTION_ENVIRONMENT, strongSecret, testConfig } from '../../support/config';

test('a live service without NODE_ENV=production causes a warning that says what is unsafe (M16)', () => {
  expect(checkMode(testConfig())).toMatchObject({ state: 'ok', says: 'development' });
  expect(checkMode(loadConfig(PRODUCTION_ENVIRONMENT))).toMatchObject({ state: 'ok', says: 'production' });
  const live = testConfig({ SERVICE_BASE_URL: 'https://api.example.com' });
  expect(checkMode(live)).toMatchObject({
    state: 'warning',
    says: expect.stringMatching(/https:\/\/api\.example\.com\n.*test channels/),
    fix: expect.stringContaining('NODE_ENV=production'),
  });
});

test('whether signed notifications are accepted is reported if the newer generation is on', () => {
  const newer = { SERVICE_V2_BASE_URL: 'https://api.example.com', SERVICE_API_KEY: 'live-api-key' };
  const secret = strongSecret('webhook');
  const signed = { ...newer, WEBHOOK_SECRET: `whsec_${secret}` };
  const check = (environment: object) =>
    checkSignatures(loadConfig({ ...PRODUCTION_ENVIRONMENT, ...environment }));
  expect(check({})).toEqual([]);
  expect(check(newer)).toMatchObject([{ state: 'warning', fix: expect.stringContaining('WEBHOOK_SECRET') }]);
  expect(check(signed)).toMatchObject([{ state: 'ok', says: expect.stringContaining('is set') }]);
  expect(JSON.stringify(check(signed))).not.toContain(secret);
});

test('a placeholder in the legal pages is a warning before production and a failure in it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'legal-'));
  try {
    await writeFile(join(folder, 'terms-en.eta'), '<p>Terms of Tea House. <%= it.list[0] %></p>');
    expect(await checkLegalPages(true, folder)).toMatchObject({ state: 'ok' });
    await writeFile(join(folder, 'terms-ko.eta'), '<p>[상호]의 약관, [상호]</p>');
    const says = 'placeholders are left\nterms-ko.eta: [상호]';
    expect(await checkLegalPages(false, folder)).toMatchObject({ state: 'warning', says });
    expect(await checkLegalPages(true, folder)).toMatchObject({ state: 'failed', says });
  } finally {
    await rm(folder, { recursive: true });
  }
});

const RUNTIME = { isSuperuser: false, ownsTables: false };

test.each([
  [{ ...RUNTIME, isSuperuser: true, ownsTables: true }, 'failed'],
  [{ ...RUNTIME, ownsTables: true }, 'warning'],
  [RUNTIME, 'ok'],
])('in production the role of the server is checked: %j is %s', (session, state) => {
  const production = { production: true, databaseIsPooled: false };
  expect(judgeSession(session, production)).toMatchObject([{ name: 'database role', state }]);
  expect(judgeSession(session, { ...production, production: false })).toEqual([]);
});

test('behind a pooler doctor says which connections go where', () => {
  const pooled = { production: false, databaseIsPooled: true };
  expect(judgeSession(RUNTIME, pooled)).toMatchObject([{ name: 'pooler', state: 'ok' }]);
});
