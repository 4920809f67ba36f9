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
  ['an Origin that is no address', { origin: 'x' }],
])('I2: a post with %s is refused although its form is good', async (_name, headers) => {
  const form = await member.openForm();
  await expectRefusedUnsent(world, member, 403, { ...form, ...CARD_FORM }, headers);
});

test('I2: a link from another site to the form works', async () => {
  expect((await member.get('/cards/new', { 'sec-fetch-site': 'cross-site' })).status).toBe(200);
});

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/** Registers a card that has this name at the service. */
async function registerNamed(card_name: string): Promise<void> {
  const form = await member.openForm();
  const record = { customer_uid: form.customer_uid, card_number: '540913******9012', card_name };
  const body = { code: 0, message: null, response: [record] };
  await world.sandbox.fault({ endpoint: FIND_KEYS, kind: 'status', status: 200, body });
  expect((await member.post('/cards', { ...form, ...CARD_FORM })).status).toBe(303);
}

test.each(['<script>alert(1)</script>', '{{7*7}} <%= 7*7 %> ${7*7}', '"><b>x'])(
  'I6 and I7: %p from the service is text in a card name, and on no page as a message',
  async (text) => {
    const body = { code: 1, message: text };
    await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'status', status: 200, body });
    const declined = await member.register();
    expect(declined.status).toBe(400);
    for (const unwanted of [text, escaped(text)]) expect(declined.html).not.toContain(unwanted);

    await registerNamed(text);
    const { html } = await member.get('/cards');
    expect(html).not.toContain(text);
    expect(html).toContain(escaped(text));
  },
);

test('I6: a card name from the service is stored and shown as text', async () => {
  await registerNamed('<b>bank</b>');
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

// test/flows/http/answer-headers.test.ts asks for every route in every way.
test.each<[number, string, () => Promise<{ status: number; headers: Headers }>]>([
  [200, 'the form', () => member.get('/cards/new')],
  [400, 'a wrong field', () => member.register({ birth: 'x' })],
  [404, 'nothing', () => member.get('/nothing')],
  [405, 'a wrong method', () => member.send('DELETE', '/cards')],
  [200, 'the script', () => member.get('/static/card-form.js')],
])('I4, I9 and I11: %i for %s', async (status, _name, ask) => {
  const answer = await ask();
  const valueOf = (name: string) => answer.headers.get(name);
  expect([answer.status, valueOf('allow')]).toEqual([status, status === 405 ? 'GET, HEAD, POST' : null]);
  for (const part of ["default-src 'none'", "frame-ancestors 'none'"])
    expect(valueOf('content-security-policy')).toContain(part);
  expect(valueOf('content-security-policy')).not.toMatch(/unsafe|upgrade-insecure-requests/);
  expect(valueOf('x-frame-options')).toBe('DENY');
  expect(valueOf('x-content-type-options')).toBe('nosniff');
  expect(valueOf('referrer-policy')).toBe('same-origin');
  for (const name of ['strict-transport-security', 'x-powered-by']) expect(valueOf(name)).toBeNull();
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

test.each(['evil.example', '127.0.0.1.evil.example', 'evil.example:80', 'a b', ''])(
  'I12: the Host %p is not served, and no page speaks of it',
  async (host) => {
    const { status, body } = await send(world.url, '/cards/new', { method: 'GET', headers: { host } });
    expect(status).toBe(400);
    expect(body).not.toContain('evil');
  },
);

test('I13: a preflight allows nothing', async () => {
  const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
  const answer = await member.send('OPTIONS', '/cards', { headers });
  expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
});
