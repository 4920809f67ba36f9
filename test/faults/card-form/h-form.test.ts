// A card form can be posted once, in time and by its own member, and each field is checked (chapter H of docs/13-faults.md). Refused
// input is neither stored nor sent nor repeated. And the pages resist cross-site requests, injected texts and foreign hosts
// (chapter I); the rows that need a real browser are in test/browser.

import { createMemberBrowser, hiddenFields, type Fields, type MemberBrowser } from '../../support/browsers';
import { expectRefusedUnsent } from '../../support/card-form/card-form';
import { CARD_FORM, fullWidth } from '../../support/cards';
import { issuancesOf, keyOf } from '../../support/keys';
import { send } from '../../support/raw-http';
import { FIND_KEYS, ISSUE_KEY } from '../../support/sandbox-controls';
import { useWorld } from '../../support/use-world';

const world = useWorld();
let member: MemberBrowser;
beforeEach(async () => {
  await world.sandbox.clearFaults();
  // Polls of an earlier test would count as effects.
  await world.forgetJobs();
  member = createMemberBrowser(world);
});

/** An opened form with valid input. */
const filledIn = async (path?: string) => ({ ...(await member.openForm(path)), ...CARD_FORM });

/** The statuses of concurrent posts, and the number of cards sent to the service. */
async function postAtOnce(path: string, forms: Fields[]) {
  let statuses: number[] = [];
  const sent = await world.sandbox.requestsDuring(ISSUE_KEY, async () => {
    const answers = await Promise.all(forms.map((form) => member.post(path, form)));
    statuses = answers.map(({ status }) => status).sort();
  });
  return { statuses, sent };
}

test('H1: two posts of one form at once issue one key', async () => {
  const form = await filledIn();
  expect(await postAtOnce('/cards', [form, form])).toEqual({ statuses: [303, 409], sent: 1 });
  expect(await issuancesOf(world, form.customer_uid)).toMatchObject([{ status: 'issued' }]);
});

test('H1: of two replacements of one key at once only one is sent', async () => {
  const { customerUid } = await member.register();
  const path = `/cards/${customerUid}/replace`;
  const forms = [await filledIn(path), await filledIn(path)];
  // The outcome of the first post stays open.
  await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'reset' });
  expect(await postAtOnce(path, forms)).toEqual({ statuses: [202, 409], sent: 1 });
  await world.log.requests({ outcome: 'key_in_use' });
});

test('H2: a second submit, also after the back button, issues nothing', async () => {
  const form = await filledIn();
  expect((await member.post('/cards', form)).status).toBe(303);
  await expectRefusedUnsent(world, member, 409, form);
  await world.log.requests({ outcome: 'form_in_use' });
});

test('H3: a form older than 15 minutes has expired, and the answer has a new one', async () => {
  const form = await filledIn();
  await world.advance(15 * 60 + 1);
  await expectRefusedUnsent(world, member, 410, form);
  const { html } = await member.post('/cards', form);
  expect((await member.post('/cards', { ...hiddenFields(html), ...CARD_FORM })).status).toBe(303);
});

test('H4: another member’s customer_uid is refused, and the key of that member does not change', async () => {
  const victim = createMemberBrowser(world);
  const { customerUid } = await victim.register();
  const before = await keyOf(world, customerUid);
  const form = { ...(await filledIn()), customer_uid: customerUid };

  await expectRefusedUnsent(world, member, 403, form);
  for (const action of ['replace', 'remove'])
    expect((await member.post(`/cards/${customerUid}/${action}`, form)).status).toBe(403);
  expect((await member.get(`/cards/${customerUid}/replace`)).status).toBe(403);
  expect(await keyOf(world, customerUid)).toEqual(before);
  expect(world.log.events('page_refused').map(({ reason }) => reason)).toContain('forged_form');
});

test('H4: a form for one key is refused for another key of the same member', async () => {
  const [first, second] = [await member.register(), await member.register()];
  const form = await filledIn(`/cards/${first.customerUid}/replace`);
  expect((await member.post(`/cards/${second.customerUid}/replace`, form)).status).toBe(403);
});

test.each(['random', '..', 'a\r\nX-Evil: 1', 'x'.repeat(300), '카드', '../users/getToken', ''])(
  'H5: the customer_uid %p is refused and never used in a URL',
  async (customer_uid) => expectRefusedUnsent(world, member, 403, { ...(await filledIn()), customer_uid }),
);

test('H6: a form of another session is refused', async () => {
  const foreign = await createMemberBrowser(world).openForm();
  await member.openForm();
  await expectRefusedUnsent(world, member, 403, { ...foreign, ...CARD_FORM });
});

test('H6: a form without a cookie or with a cookie that we did not sign is refused', async () => {
  const form = await filledIn();
  for (const cookie of ['', `member=member_${'0'.repeat(32)}.${'A'.repeat(43)}`, 'member=%'])
    await expectRefusedUnsent(world, member, 403, form, { cookie });
});

// test/merchant/options/card-form/card-input.test.ts and test/merchant/options/card-form/card-form.test.ts have all problems.
test.each<[string, string, Fields]>([
  ['H17', 'card_number', { card_number: fullWidth('4242424242424242') }],
  ['H18', 'expiry', { expiry: '01/2020' }],
  ['H19', 'birth', { birth: '123-45-67890' }],
  ['H20', 'pwd_2digit', { pwd_2digit: '123' }],
  ['H22', 'agree_terms', { agree_terms: '' }],
  ['H22', 'agree_privacy', { agree_privacy: '' }],
  ['H23', 'pg', { pg: 'unlisted' }],
])('%s: %s is refused at its field, and nothing is sent or echoed: %j', async (_row, field, change) => {
  const form = { ...(await filledIn()), ...change };
  await expectRefusedUnsent(world, member, 400, form);
  const { html } = await member.post('/cards', form);
  expect(html).toContain(`<a href="#${field}">`);
  expect(html).toMatch(/<title>오류: /);
  expect(html).not.toMatch(/name="(card_number|expiry|birth|pwd_2digit)"[^>]*value=/);
});

const expectTaken = async (changes: Fields) => expect((await member.register(changes)).status).toBe(303);

test.each(['4242424242424242', '4242 4242 4242 4242'])('H17: the card number %p is accepted', (card_number) =>
  expectTaken({ card_number }),
);

test('H19: a company card is accepted with its business number', () =>
  expectTaken({ birth: '110-81-41272', card_holder: 'company' }));

test('H21: a card number that fails the Luhn check is sent to the card company', () =>
  expectTaken({ card_number: '9410-0000-0000-0000' }));

test('H22: the version and time of each consent are stored', async () => {
  const { customerUid } = await member.register();
  expect(await issuancesOf(world, customerUid)).toMatchObject([
    { terms_version: '2026-11-26', privacy_version: '2026-11-26', consented_at: world.clock.now() },
  ]);
});

test.each(['/cards/new', '/cards'])(
  'H24: a request with card data in the query of %s is refused',
  async (path) => {
    const answer = await member.get(`${path}?card_number=4242424242424242&pwd_2digit=12`);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    expect(world.log.text() + answer.html).not.toContain('4242424242424242');
  },
);

test('H26: a form posted as JSON follows the same rules', async () => {
  const form = await filledIn();
  const json = async (fields: object) => {
    const headers = { 'content-type': 'application/json' };
    return (await member.send('POST', '/cards', { body: JSON.stringify(fields), headers })).status;
  };
  expect(await json({ ...form, form_token: undefined })).toBe(403);
  expect(await json({ ...form, card_number: 4242424242424242 })).toBe(400);
  expect(await json({ ...form, agree_terms: true })).toBe(303);
  expect(await json(form)).toBe(409);
});

// test/merchant/platform/http/pages.test.ts has the other bodies that are refused as a whole.
test.each([
  ['text', 'text/plain', 'card_number=4242424242424242', 415],
  ['broken JSON', 'application/json', '{"card_number":"4242424242424242"', 400],
])('%s is refused, and no part of it is in the answer or the log', async (_name, type, body, status) => {
  const answer = await member.send('POST', '/cards', { body, headers: { 'content-type': type } });
  expect(answer.status).toBe(status);
  expect(answer.html + world.log.text()).not.toContain('4242424242424242');
});

test.each(['', `${'a'.repeat(24)}.1.${'b'.repeat(43)}`])(
  'I1: a post with the token %p is refused',
  async (form_token) => {
    const { customer_uid } = await member.openForm();
    await expectRefusedUnsent(world, member, 403, { ...CARD_FORM, customer_uid, form_token });
  },
);

// test/merchant/platform/http/origin-check.test.ts has the others.
test.each<[string, Record<string, string>]>([
  ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
  ['our name under another port', { origin: 'http://127.0.0.1:1' }],
])('I2: a post with %s is refused although its form is valid', async (_name, headers) => {
  const form = await member.openForm();
  await expectRefusedUnsent(world, member, 403, { ...form, ...CARD_FORM }, headers);
});

/** Registers a card that has this name at the service. */
async function registerNamed(card_name: string): Promise<void> {
  const form = await member.openForm();
  const record = { customer_uid: form.customer_uid, card_number: '540913******9012', card_name };
  const body = { code: 0, message: null, response: [record] };
  await world.sandbox.fault({ endpoint: FIND_KEYS, kind: 'status', status: 200, body });
  expect((await member.post('/cards', { ...form, ...CARD_FORM })).status).toBe(303);
}

test.each([
  ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  ['{{7*7}} <%= 7*7 %> ${7*7}', '{{7*7}} &lt;%= 7*7 %&gt; ${7*7}'],
])(
  'I6 and I7: %p from the service is escaped in a card name, and never shown as a message',
  async (text, shown) => {
    const body = { code: 1, message: text };
    await world.sandbox.fault({ endpoint: ISSUE_KEY, kind: 'status', status: 200, body });
    const declined = await member.register();
    expect(declined.status).toBe(400);
    for (const unwanted of [text, shown]) expect(declined.html).not.toContain(unwanted);

    await registerNamed(text);
    const { html } = await member.get('/cards');
    expect(html).not.toContain(text);
    expect(html).toContain(shown);
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
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 303, 200]);
  expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual(answers.map(() => 'no-store'));
});

// test/flows/http/answer-headers.test.ts has all routes and statuses.
test.each<[number, string, () => Promise<{ status: number; headers: Headers }>]>([
  [200, 'the form', () => member.get('/cards/new')],
  [200, 'the script', () => member.get('/static/card-form.js')],
])(
  'I4, I9 and I11: the headers of the answer %i for %s forbid frames and foreign scripts',
  async (status, _name, ask) => {
    const answer = await ask();
    const policy = answer.headers.get('content-security-policy');
    expect(answer.status).toBe(status);
    for (const part of ["default-src 'none'", "frame-ancestors 'none'"]) expect(policy).toContain(part);
    expect(policy).not.toMatch(/unsafe|upgrade-insecure-requests/);
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
    expect(answer.headers.get('strict-transport-security')).toBeNull();
  },
);

test.each(['/nothing', '/cards/%ff/replace', '/static/%2e%2e/layout.eta'])(
  'I10: the error page of %s shows no stack, path or version',
  async (path) => {
    const { status, html } = await member.get(path);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(html).not.toMatch(/node_modules|\.ts\b|at \w+ \(|Express|URIError/);
    expect(html).toContain('<h1>');
  },
);

test.each(['evil.example', ''])(
  'I12: a request with the Host %p is refused, and the page does not repeat it',
  async (host) => {
    const { status, body } = await send(world.url, '/cards/new', { method: 'GET', headers: { host } });
    expect(status).toBe(400);
    expect(body).not.toContain('evil');
  },
);

test('I13: a preflight request gets no CORS permission', async () => {
  const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
  const answer = await member.send('OPTIONS', '/cards', { headers });
  expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
});
