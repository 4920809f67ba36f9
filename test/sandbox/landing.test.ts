// The sandbox for everybody: its landing page, the ten lines to begin with, and the reference of its controls.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testCards } from '../../src/sandbox/billing-keys/test-cards';
import { defaultConfig } from '../../src/sandbox/config';
import { firstCalls } from '../../src/sandbox/console/first-calls';
import { ENVIRONMENT } from '../../src/sandbox/console/start-page';
import { advanceSchema } from '../../src/sandbox/controls/control-context';
import { cancelSchema, notifySchema, tamperSchema } from '../../src/sandbox/controls/payment-actions';
import { FAULT_KINDS, faultSchema } from '../../src/sandbox/http/faults';
import { randomSchema } from '../../src/sandbox/http/random-faults';
import { settingsSchema } from '../../src/sandbox/notifications/settings';
import { windowPaymentSchema } from '../../src/sandbox/payments/pay-in-window';
import { environmentSchema } from '../../src/sandbox/read-config';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/start-sandbox';
import { STORY_NAMES } from '../../src/sandbox/stories/story';
import { WINDOW_CHOICES } from '../../src/sandbox/window/choose-outcome';
import { sandboxRoutes } from '../support/all-routes';

const reference = readFileSync(join(__dirname, '../../docs/sandbox.md'), 'utf8');
let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ config: { port: 0 } });
});
afterAll(() => sandbox.close());

const read = (path: string, accept: string) => fetch(sandbox.url + path, { headers: { accept } });

test('a browser is shown what is here, in two languages, and a program gets JSON as before', async () => {
  for (const [path, lang] of [
    ['/', 'ko'],
    ['/?lang=en', 'en'],
  ] as const) {
    const html = await (await read(path, 'text/html,*/*;q=0.8')).text();
    expect(html).toContain(`<html lang="${lang}">`);
    for (const [, href = ''] of html.matchAll(/ href="(\/(?:console|window)[^"]*)"/g)) {
      const answer = await read(href.replaceAll('&amp;', '&'), 'text/html');
      expect([href, answer.status]).toEqual([href, 200]);
    }
  }
  const answer = await read('/', '*/*');
  expect([answer.status, await answer.json()]).toMatchObject([404, { code: -1, message: 'path: unknown' }]);
});

test('the page for those who begin has ten calls, those of the reference, and each succeeds as it stands', async () => {
  const page = await (await read('/console/start?lang=en', 'text/html')).text();
  const lines = [...page.matchAll(/<li>[^<]*<pre[^>]*><code>([\s\S]*?)<\/code>/g)].map(([, line = '']) =>
    unescaped(line),
  );
  expect(lines).toHaveLength(10);
  const written = /```bash\n([\s\S]*?)```/.exec(reference)?.[1]?.trim();
  expect(lines.join('\n').replaceAll(sandbox.url, 'http://localhost:4010')).toBe(written);
  // What each prints stands on a line of its own; the first one prints nothing.
  const script = `set -e\n${lines.map((line) => `${line}\necho`).join('\n')}`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script]);
  const printed = stdout.trim().split('\n').filter(Boolean);
  const [address, paid, look, key, charge, schedule, clock, fault, notifications] = printed.map((line) =>
    JSON.parse(line),
  );
  expect(address.webhook_url).toBe('http://localhost:8080/webhooks/payments');
  expect(paid.status).toBe('paid');
  expect(look.response.merchant_uid).toBe('order-1');
  expect([key.code, charge.code, charge.response.status]).toEqual([0, 0, 'paid']);
  expect(schedule.response[0].merchant_uid).toBe('order-3');
  expect(clock.now).toBeGreaterThanOrEqual(schedule.response[0].schedule_at);
  expect(fault.kind).toBe('lost_response');
  expect(notifications.notifications.length).toBeGreaterThan(0);
});

test('credentials that somebody chose are not shown', () => {
  const config = { ...defaultConfig, serviceKey: 'chosen-1', serviceSecret: 'chosen-2', namePrefix: 'abc' };
  const [first] = firstCalls(config, 'http://localhost:4010');
  expect(first?.line).not.toContain('chosen');
  expect(first?.line).toContain('-d "abc_key=$SERVICE_KEY" -d "abc_secret=$SERVICE_SECRET"');
});

const controls = sandboxRoutes().filter(({ path }) => path.startsWith('/_sandbox/'));
const variables = Object.keys(environmentSchema.shape).filter((name) => name !== 'NODE_ENV');
test.each<[string, readonly string[]]>([
  ['Run it', [...variables, 'LOG_LEVEL']],
  ['Run it', Object.keys(ENVIRONMENT)],
  ['Settings', Object.keys(settingsSchema.shape)],
  ['A payment in the window', Object.keys(windowPaymentSchema.shape)],
  ['A cancellation', Object.keys(cancelSchema.shape)],
  ['A forged record', Object.keys(tamperSchema.shape)],
  ['A notification by hand', Object.keys(notifySchema.shape)],
  ['The clock', Object.keys(advanceSchema.shape)],
  ['A fault', Object.keys(faultSchema.shape)],
  ['Random faults', Object.keys(randomSchema.shape)],
  ['The payment window', WINDOW_CHOICES],
  ['Six ways a payment goes wrong', STORY_NAMES],
  ['Controls', controls.map(({ method, path }) => `${method.toUpperCase()} ${path}`)],
])('the reference of "%s" has the names of the program', (title, names) => {
  const chapter = new RegExp(`^#+ ${title}\\n([\\s\\S]*?)(?=^#|$(?![\\s\\S]))`, 'm').exec(reference)?.[1];
  const written = [...(chapter ?? '').matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name);
  expect(written.sort()).toEqual(names.toSorted());
});

test('the reference has every kind of fault, every test card with its outcome, and the defaults of the settings', async () => {
  for (const kind of FAULT_KINDS) expect(reference).toContain(`\`${kind}\``);
  const rows = reference.matchAll(/^\| `(\d{4}-[\d-]+)` +\| `(\w+)`/gm);
  expect([...rows].map(([, number, outcome]) => [number, outcome])).toEqual(
    testCards.map(({ card_number, outcome }) => [card_number, outcome]),
  );
  const settings = (await (await read('/_sandbox/settings', '*/*')).json()) as Record<string, unknown>;
  const [, chapter = ''] = /^### Settings\n([\s\S]*?)^###/m.exec(reference) ?? [];
  for (const [, name = '', written] of chapter.matchAll(/^\| `(\w+)` +\| ([^|]+?) +\|/gm)) {
    const value = name === 'webhook_url' ? '`SANDBOX_WEBHOOK_URL` or null' : String(settings[name]);
    expect([name, written?.replaceAll('`', '')]).toEqual([name, value.replaceAll('`', '')]);
  }
});

const unescaped = (html: string) =>
  html
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
