// The pages withstand other sites, foreign texts and foreign hosts (chapter I of docs/faults.md), as far as HTTP shows
// it. The rows that need a real browser are in test/browser.

import { CARD_FORM } from '../support/cards';
import { FIND_KEYS, ISSUE_KEY } from '../support/endpoints';
import { createMemberBrowser, type MemberBrowser } from '../support/member-browser';
import { expectRefusedUnsent } from '../support/member-cards';
import { send } from '../support/raw-http';
import { useWorld } from '../support/use-world';

const world = useWorld();
let member: MemberBrowser;
beforeEach(async () => {
  await world.sandbox.clearFaults();
  member = createMemberBrowser(world);
});

test.each(['', 'x', `${'a'.repeat(24)}.1.${'b'.repeat(43)}`])(
  'I1: a post with the token %p is refused',
  async (form_token) => {
    const { customer_uid } = await member.openForm();
    await expectRefusedUnsent(world, member, 403, { ...CARD_FORM, customer_uid, form_token });
  },
);

test.each<[string, Record<string, string>]>([
  ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
  ['a foreign Origin', { origin: 'https://evil.example' }],
  ['our name under another port', { origin: 'http://127.0.0.1:1' }],
  ['Origin: null', { origin: 'null' }],
  ['an Origin that is no address', { origin: 'x' }],
])('I2: a post with %s is refused although its form is good', async (_name, headers) => {
  const form = await member.openForm();
  await expectRefusedUnsent(world, member, 403, { ...form, ...CARD_FORM }, headers);
});

test('I2: a link from another site to the form works', async () => {
  expect((await member.get('/cards/new', { 'sec-fetch-site': 'cross-site' })).status).toBe(200);
});

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '{{7*7}} <%= 7*7 %> ${7*7}',
  '"><b>x',
])('I6 and I7: %p from the service is text in a card name, and on no page as a message', async (text) => {
  await world.sandbox.fault({
    endpoint: ISSUE_KEY,
    kind: 'status',
    status: 200,
    body: { code: 1, message: text },
  });
  const declined = await member.register();
  expect(declined.status).toBe(400);

  const { customerUid } = await member.register();
  await world.rows.query('update billing_keys set card_name = $1 where customer_uid = $2', [
    text,
    customerUid,
  ]);
  const { html } = await member.get('/cards');
  for (const page of [declined.html, html]) expect(page).not.toContain(text);
  expect(html).toContain(escaped(text));
  expect(declined.html).not.toContain(escaped(text));
});

test('I6: a card name from the service is stored and shown as text', async () => {
  const form = await member.openForm();
  const record = {
    customer_uid: form.customer_uid,
    card_number: '540913******9012',
    card_name: '<b>bank</b>',
  };
  const body = { code: 0, message: null, response: [record] };
  await world.sandbox.fault({ endpoint: FIND_KEYS, kind: 'status', status: 200, body });
  expect((await member.post('/cards', { ...form, ...CARD_FORM })).status).toBe(303);
  expect((await member.get('/cards')).html).toContain('&lt;b&gt;bank&lt;/b&gt;');
});

test('I8: no page with a form or a card is stored by a cache', async () => {
  const form = await member.openForm();
  const answers = [
    await member.get('/cards/new'),
    await member.post('/cards', form),
    await member.post('/cards', { ...form, ...CARD_FORM }),
    await member.get('/cards'),
    await member.post('/cards', { ...form, ...CARD_FORM }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 303, 200, 409]);
  expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual(answers.map(() => 'no-store'));
});

describe('every answer carries the whole set of headers', () => {
  test.each<[number, string, () => Promise<{ status: number; headers: Headers }>]>([
    [200, 'the form', () => member.get('/cards/new')],
    [303, 'a registered card', () => member.register()],
    [400, 'a wrong field', () => member.register({ birth: 'x' })],
    [403, 'a forged form', () => member.post('/cards', {})],
    [404, 'nothing', () => member.get('/nothing')],
    [405, 'a wrong method', () => member.send('DELETE', '/cards')],
    [200, 'the style sheet', () => member.get('/static/base.css')],
    [200, 'the script', () => member.get('/static/card-form.js')],
    [404, 'a file that is not there', () => member.get('/static/none.js')],
    [400, 'a path that cannot be read', () => member.get('/cards/%ff/replace')],
    [503, 'a service that is away', () => registerWhileRefused()],
  ])('I4, I9 and I11: %i for %s', async (status, _name, ask) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(policy).not.toContain('upgrade-insecure-requests');
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('referrer-policy')).toBe('same-origin');
    expect(answer.headers.get('strict-transport-security')).toBeNull();
    expect(answer.headers.get('x-powered-by')).toBeNull();
  });

  async function registerWhileRefused() {
    await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'unauthorized', times: 2 });
    return member.register();
  }
});

test.each(['/nothing', '/cards/%ff/replace', '/static/../../package.json', '/static/%2e%2e/layout.eta'])(
  'I10: the error page of %s shows no stack, path or version',
  async (path) => {
    const { status, html } = await member.get(path);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(html).not.toMatch(/node_modules|\.ts\b|at \w+ \(|Express|URIError/);
    expect(html).toContain('<h1>');
  },
);

test.each(['evil.example', 'localhost.evil.example', 'evil.example:80', '127.0.0.1.evil.example', 'a b', ''])(
  'I12: the Host %p is not served, and no page speaks of it',
  async (host) => {
    const { status, body } = await getWithHost(host);
    expect(status).toBe(400);
    expect(body).not.toContain('evil');
  },
);

test.each(['localhost:3000', '127.0.0.1', '[::1]:3000', '192.168.0.7:3000'])(
  'I12: the Host %p of a developer is served',
  async (host) => expect((await getWithHost(host)).status).toBe(200),
);

test('I13: a preflight allows nothing', async () => {
  const answer = await member.send('OPTIONS', '/cards', {
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
  });
  expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
});

const getWithHost = (host: string) => send(world.url, '/cards/new', { method: 'GET', headers: { host } });

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
