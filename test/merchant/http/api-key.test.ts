// The API key: who has it, and who guesses it. Guesses are answered ever more slowly to their network, and to no other; the
// right key always is served.

import request from 'supertest';
import { createApp, DESCRIBED_ROUTES } from '../../../src/merchant/app';
import { createContext } from '../../../src/merchant/context';
import { createReadiness } from '../../../src/merchant/readiness';
import { createManualClock } from '../../support/clock';
import { API_KEY, testConfig } from '../../support/config';
import { createRecordedLog } from '../../support/log';

const log = createRecordedLog();
const clock = createManualClock();
let context: ReturnType<typeof createContext>;
let app: ReturnType<typeof createApp>;
beforeEach(() => {
  log.clear();
  context = createContext({ config: testConfig(), clock, logger: log.logger });
  app = createApp(context, createReadiness(context));
});

const ask = (key: string | null, from = '203.0.113.7', path = '/api/nothing') =>
  request(app)
    .get(path)
    .set({ 'x-forwarded-for': from, ...(key !== null && { authorization: `Bearer ${key}` }) });
const statuses = async (times: number, key: string | null, from?: (time: number) => string) => {
  const answers = [];
  for (let time = 0; time < times; time += 1) answers.push((await ask(key, from?.(time))).status);
  return answers;
};
const refusals = async () => {
  const { values } = await context.metrics.apiKeysRefused.get();
  return Object.fromEntries(values.map(({ labels, value }) => [labels.reason, value]));
};

test.each([
  ['its beginning', API_KEY.slice(0, -1)],
  ['more than it', `${API_KEY}0`],
  ['another last character', `${API_KEY.slice(0, -1)}_`],
  ['another first character', `_${API_KEY.slice(1)}`],
  ['the same in capitals', API_KEY.toUpperCase()],
])('M37 the API key is compared as a whole: %s is 401', async (_, key) => {
  expect((await ask(key)).status).toBe(401);
});

test('every route that is described with the key is 401 without it', async () => {
  const paths = DESCRIBED_ROUTES.filter(({ access }) => access === 'key').map(({ path }) => path);
  expect(paths.length).toBeGreaterThan(20);
  for (const path of paths)
    expect([path, (await ask(null, '203.0.113.9', path)).status]).toEqual([path, 401]);
});

test('after ten wrong keys in a minute a network gets 429, and others and the right key do not', async () => {
  expect(await statuses(12, 'a-wrong-key-0123')).toEqual([...Array<number>(10).fill(401), 429, 429]);
  const limited = await ask('another-wrong-key');
  expect([limited.status, limited.headers['retry-after'], limited.body.error.code]).toEqual([
    429,
    '60',
    'too_many_wrong_keys',
  ]);
  expect((await ask(API_KEY)).status).toBe(404);
  expect((await ask('a-wrong-key-0123', '203.0.113.8')).status).toBe(401);
  expect(await refusals()).toEqual({ missing: 0, wrong: 11, too_many: 3 });
  expect(log.events('api_key_refused').map(({ reason }) => reason)).toContain('too_many');
  clock.advance(60);
  expect((await ask('a-wrong-key-0123')).status).toBe(401);
});

test('the addresses of one /64 have ten guesses together, those of another /64 their own', async () => {
  const own = (time: number) => `2001:db8:0:1::${time + 1}`;
  expect(await statuses(11, 'a-wrong-key-0123', own)).toEqual([...Array<number>(10).fill(401), 429]);
  expect((await ask('a-wrong-key-0123', '2001:db8:0:2::1')).status).toBe(401);
});

test('a call without a key guesses nothing and is 401 however often it is made', async () => {
  expect(new Set(await statuses(30, null))).toEqual(new Set([401]));
});
