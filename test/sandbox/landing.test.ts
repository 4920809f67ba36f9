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
  const inKorean = await (await read('/', 'text/html,*/*;q=0.8')).text();
  expect(inKorean).toContain('<html lang="ko">');
  const inEnglish = await (await read('/?lang=en', 'text/html')).text();
  expect(inEnglish).toContain('<html lang="en">');
  for (const html of [inKorean, inEnglish])
    for (const [, href = ''] of html.matchAll(/ href="(\/(?:console|window)[^"]*)"/g)) {
      const answer = await read(href.replaceAll('&amp;', '&'), 'text/html');
      expect([href, answer.status]).toEqual([href, 200]);
    }
  for (const accept of ['*/*', 'application/json']) {
    const answer = await read('/', accept);
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { code: -1, message: 'path: unknown', response: null },
    ]);
  }
});

test('the page for those who begin has ten calls, and each succeeds as it stands', async () => {
  const page = await (await read('/console/start?lang=en', 'text/html')).text();
  const lines = [...page.matchAll(/<li>[^<]*<pre[^>]*><code>([\s\S]*?)<\/code>/g)].map(([, line]) =>
    unescaped(line ?? ''),
  );
  expect(lines).toEqual(firstCalls(defaultConfig, sandbox.url).map(({ line }) => line));
  expect(lines).toHaveLength(10);
  // What each prints stands on a line of its own; the first one prints nothing.
  const script = `set -e\n${lines.map((line) => `${line}\necho`).join('\n')}`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script]);
  const answers = stdout
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  expect(answers).toHaveLength(9);
  const [address, paid, look, key, charge, schedule, clock, fault, notifications] = answers;
  expect(address.webhook_url).toBe('http://localhost:8080/webhooks/payments');
  expect([paid.status, look.code, look.response.merchant_uid]).toEqual(['paid', 0, 'order-1']);
  expect([key.code, charge.code, charge.response.status]).toEqual([0, 0, 'paid']);
  expect([schedule.code, schedule.response[0].merchant_uid]).toEqual([0, 'order-3']);
  expect(clock.now).toBeGreaterThan(Date.now() / 1000 + 590);
  expect(fault.kind).toBe('lost_response');
  expect(notifications.notifications.length).toBeGreaterThan(0);
});

test('credentials that somebody chose are not shown', () => {
  const config = { ...defaultConfig, serviceKey: 'chosen-1', serviceSecret: 'chosen-2', namePrefix: 'abc' };
  const [first] = firstCalls(config, 'http://localhost:4010');
  expect(first?.line).not.toContain('chosen');
  expect(first?.line).toContain('-d "abc_key=$SERVICE_KEY" -d "abc_secret=$SERVICE_SECRET"');
});

test('the reference has the ten calls of the page', () => {
  const lines = firstCalls(defaultConfig, 'http://localhost:4010').map(({ line }) => line);
  expect(/```bash\n([\s\S]*?)```/.exec(reference)?.[1]?.trim().split('\n')).toEqual(lines);
});

test('the reference names every variable that is read, and the page does', () => {
  const read = [
    ...Object.keys(environmentSchema.shape).filter((name) => name !== 'NODE_ENV'),
    'LOG_LEVEL',
  ].sort();
  expect(Object.keys(ENVIRONMENT).sort()).toEqual(read);
  expect(namesIn('Run it').sort()).toEqual(read);
});

test.each([
  ['Settings', settingsSchema],
  ['A payment in the window', windowPaymentSchema],
  ['A cancellation', cancelSchema],
  ['A forged record', tamperSchema],
  ['A notification by hand', notifySchema],
  ['The clock', advanceSchema],
  ['A fault', faultSchema],
  ['Random faults', randomSchema],
] as const)('the reference of "%s" has the fields of its schema', (title, schema) => {
  expect(namesIn(title).sort()).toEqual(Object.keys(schema.shape).sort());
});

test('the reference has every test card with its outcome, every choice of the window, and the defaults of the settings', async () => {
  const rows = [...reference.matchAll(/^\| `(\d{4}-[\d-]+)` +\| `(\w+)`/gm)].map(([, number, outcome]) => [
    number,
    outcome,
  ]);
  expect(rows).toEqual(testCards.map(({ card_number, outcome }) => [card_number, outcome]));
  expect(namesIn('The payment window')).toEqual([...WINDOW_CHOICES]);
  const settings = (await (await read('/_sandbox/settings', '*/*')).json()) as Record<
    string,
    string | number | boolean | null
  >;
  const [, chapter = ''] = /^### Settings\n([\s\S]*?)^###/m.exec(reference) ?? [];
  const defaults = [...chapter.matchAll(/^\| `(\w+)` +\| ([^|]+?) +\|/gm)];
  for (const [, name = '', written = ''] of defaults)
    expect([name, written]).toEqual([
      name,
      name === 'webhook_url'
        ? '`SANDBOX_WEBHOOK_URL` or null'
        : expect.stringMatching(`^\`?${settings[name]}\`?$`),
    ]);
});

test('the reference names every control, every kind of fault and every story', () => {
  const routes = sandboxRoutes()
    .filter(({ path }) => path.startsWith('/_sandbox/'))
    .map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect(namesIn('Controls').sort()).toEqual(routes.sort());
  for (const kind of FAULT_KINDS) expect(reference).toContain(`\`${kind}\``);
  expect(namesIn('Six ways a payment goes wrong')).toEqual([...STORY_NAMES]);
});

/** The first column of the table below a heading. */
function namesIn(title: string): string[] {
  const [, chapter = ''] =
    new RegExp(`^#+ ${title}\\n([\\s\\S]*?)(?=^#|$(?![\\s\\S]))`, 'm').exec(reference) ?? [];
  return [...chapter.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name);
}

const unescaped = (html: string) =>
  html
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
