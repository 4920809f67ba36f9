// Accounts of operators: the sign-in, the second factor, sessions and their ends, and what an administrator can do.

import { codeAt, stepAt } from '../../../src/merchant/options/operator/accounts/second-factor';
import { createMemberBrowser, signedIn, type OperatorBrowser } from '../../support/browsers';
import { OPERATOR_PASSWORD } from '../../support/config';
import { useWorld } from '../../support/use-world';
import { ACCOUNT_PASSWORD, makeAccount, signInAs } from './accounts-setup';

const world = useWorld();
beforeEach(async () => {
  await world.rows.query('delete from operator_sessions');
  await world.rows.query('delete from operators');
  await world.rows.query('delete from card_limits');
  world.log.clear();
});
const MINUTE = 60;
const sessions = async () => (await world.rows.query('select * from operator_sessions')).length;
const opens = async (browser: OperatorBrowser) => (await browser.get('/operator/orders')).status === 200;
const idOf = async (name: string) =>
  String((await world.rows.query('select id from operators where name = $1', [name]))[0]?.['id']);

async function kim(role: 'view' | 'admin' = 'admin') {
  await makeAccount(world, 'kim', role);
  return (await signInAs(world, 'kim')).browser;
}

/** Sets the second factor up as a person does, from what the page shows. */
async function setUp(browser: OperatorBrowser) {
  const { html } = await browser.get('/operator/me?lang=en');
  const uri = /otpauth:[^"]+/.exec(html)?.[0].replaceAll('&amp;', '&') ?? '';
  const secret = decodeBase32(new URL(uri).searchParams.get('secret') ?? '');
  const codeNow = () => codeAt(secret, stepAt(world.clock.now()));
  const confirm = (code: string) => browser.post('/operator/me/second-factor?lang=en', { code });
  return { secret, codeNow, confirm };
}

function decodeBase32(text: string): Buffer {
  const bits = [...text].map((each) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(each).toString(2).padStart(5, '0'),
  );
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

test('OPERATOR_PASSWORD makes the first account and is then of no use', async () => {
  const first = await signedIn(world, { by: 'kim' });
  const refused = await first.post('/operator/accounts?lang=en', { name: 'lee', role: 'view' });
  expect([refused.status, refused.html.includes('The first account must')]).toEqual([409, true]);
  const made = await first.post('/operator/accounts', { name: 'kim', role: 'admin' });
  const password = /id="made-password"[^>]*data-copy[^>]*value="([\w-]{20})"/.exec(made.html)?.[1] ?? '';
  expect([made.status, made.headers.get('cache-control')]).toEqual([201, 'no-store']);
  expect(await opens(first)).toBe(false);
  expect((await signInAs(world, 'kim', { password: OPERATOR_PASSWORD })).answer.status).toBe(403);
  expect((await signInAs(world, 'kim', { password })).answer.status).toBe(303);
  const dump = await world.rows.dump();
  for (const secret of [password, OPERATOR_PASSWORD]) {
    expect(dump).not.toContain(secret);
    expect(world.log.text()).not.toContain(secret);
  }
  expect(world.log.events('operator_account_changed')).toMatchObject([
    { action: 'add', name: 'kim', by: 'kim' },
  ]);
});

test('an unknown name, a wrong password and a disabled account are answered alike', async () => {
  await makeAccount(world, 'kim', 'admin');
  await makeAccount(world, 'lee', 'view');
  await world.rows.query(`update operators set disabled_at = now() where name = 'lee'`);
  const tries = [
    signInAs(world, 'nobody'),
    signInAs(world, 'kim', { password: 'wrong' }),
    signInAs(world, 'lee'),
  ];
  const pages = (await Promise.all(tries)).map(({ answer: { status, html } }) => [
    status,
    html.replace(/value="(nobody|kim|lee)"/, ''),
  ]);
  expect(pages[0]?.[0]).toBe(403);
  expect(pages[1]).toEqual(pages[0]);
  expect(pages[2]).toEqual(pages[0]);
  // A password typed as the name is not logged.
  await signInAs(world, ACCOUNT_PASSWORD);
  expect(world.log.text()).not.toContain(ACCOUNT_PASSWORD);
  expect(
    world.log
      .events('operator_sign_in_failed')
      .map(({ by }) => by)
      .sort(),
  ).toEqual(['kim', 'lee', null, null]);
});

test('ten wrong passwords of one name from many networks lock this name, and no other one', async () => {
  await makeAccount(world, 'kim', 'admin');
  await makeAccount(world, 'lee', 'view');
  const from = (nth: number) => ({ 'x-forwarded-for': `203.0.${nth}.1` });
  for (let nth = 1; nth <= 10; nth += 1)
    expect((await signInAs(world, 'kim', { password: 'wrong' }, from(nth))).answer.status).toBe(403);
  expect((await signInAs(world, 'kim', {}, from(11))).answer.status).toBe(429);
  expect((await signInAs(world, 'lee', {}, from(12))).answer.status).toBe(303);
  world.clock.advance(15 * MINUTE);
  expect((await signInAs(world, 'kim', {}, from(13))).answer.status).toBe(303);
});

const secondFactor = () => world.rows.query('select totp_secret, recovery_codes from operators');

test('with a second factor each code signs in once, and so does a recovery code', async () => {
  const browser = await kim();
  const { codeNow, confirm, secret } = await setUp(browser);
  // The same secret whenever the page is opened.
  const again = [(await setUp(browser)).secret, (await browser.get('/operator/me')).html];
  expect(again).toEqual([secret, expect.stringContaining('<svg ')]);
  const left = (await signInAs(world, 'kim')).browser;
  expect((await browser.post('/operator/me/end-sessions', {})).status).toBe(200);
  expect([await opens(browser), await opens(left)]).toEqual([true, false]);
  const other = (await signInAs(world, 'kim')).browser;
  expect((await confirm('000000')).status).toBe(403);
  const confirmed = await confirm(codeNow());
  expect(confirmed.status).toBe(200);
  const recovery = [...confirmed.html.matchAll(/\b((?:[A-Z2-7]{4}-){3}[A-Z2-7]{4})\b/g)].map(
    ([, code = '']) => code,
  );
  expect(recovery).toHaveLength(10);
  // The browser that did it stays, another one is signed out; the page offers no second set-up.
  expect([await opens(browser), await opens(other)]).toEqual([true, false]);
  expect((await browser.get('/operator/me')).html).not.toContain('otpauth:');
  const before = await secondFactor();
  expect((await confirm(codeNow())).status).toBe(403);
  expect(await secondFactor()).toEqual(before);

  const status = async (code: string) => (await signInAs(world, 'kim', { code })).answer.status;
  expect(await status('')).toBe(403);
  expect(await status(codeNow())).toBe(403);
  world.clock.advance(30);
  const code = codeNow();
  expect([await status(code), await status(code)]).toEqual([303, 403]);
  // It is encrypted again, with the FORM_SECRET in use.
  expect(await secondFactor()).not.toEqual(before);
  expect(await status(codeAt(secret, stepAt(world.clock.now()) - 2))).toBe(403);
  const [one = '', two = ''] = recovery;
  expect([await status(one.toLowerCase()), await status(one), await status(two)]).toEqual([303, 403, 303]);

  const dump = await world.rows.dump();
  for (const kept of [...recovery, secret.toString('hex'), secret.toString('base64')]) {
    expect(dump).not.toContain(kept);
    expect(world.log.text()).not.toContain(kept);
  }

  // With another FORM_SECRET, only a recovery code signs in.
  await world.rows.query(`update operators set totp_secret = 'of another FORM_SECRET'`);
  world.clock.advance(30);
  expect([await status(codeNow()), await status(recovery[2] ?? '')]).toEqual([403, 303]);
  expect(world.log.events('operator_second_factor_unreadable')).toMatchObject([{ name: 'kim' }, {}]);
});

test('of two sign-ins with one code at the same time, one succeeds', async () => {
  const { codeNow, confirm } = await setUp(await kim());
  await confirm(codeNow());
  world.clock.advance(30);
  const code = codeNow();
  const both = await Promise.all([signInAs(world, 'kim', { code }), signInAs(world, 'kim', { code })]);
  expect(both.map(({ answer }) => answer.status).sort()).toEqual([303, 403]);
});

test('a session ends fifteen minutes after its last use, and twelve hours after the sign-in', async () => {
  const browser = await kim();
  world.clock.advance(14 * MINUTE);
  expect(await opens(browser)).toBe(true);
  world.clock.advance(14 * MINUTE);
  expect(await opens(browser)).toBe(true);
  world.clock.advance(15 * MINUTE);
  expect(await opens(browser)).toBe(false);

  const busy = (await signInAs(world, 'kim')).browser;
  // The sign-in has deleted the row of the expired one.
  expect(await sessions()).toBe(1);
  // As if it had been in use since then.
  await world.rows.query(
    `update operator_sessions set created_at = created_at - interval '11 hours 40 minutes'`,
  );
  for (const isOpen of [true, true, false]) {
    world.clock.advance(9 * MINUTE);
    expect(await opens(busy)).toBe(isOpen);
  }
});

test('the last use is written at most once a minute', async () => {
  const browser = await kim();
  const lastUse = async () => (await world.rows.query('select last_used_at from operator_sessions'))[0];
  const atSignIn = await lastUse();
  world.clock.advance(59);
  await browser.get('/operator/me');
  expect(await lastUse()).toEqual(atSignIn);
  world.clock.advance(1);
  await browser.get('/operator/me');
  expect(await lastUse()).not.toEqual(atSignIn);
});

test('a sign-out ends the session for a copy of the cookie too, and clears what the browser has kept', async () => {
  const browser = await kim();
  const copy = createMemberBrowser(world, new Map(browser.cookies));
  expect(await opens(copy)).toBe(true);
  const out = await browser.post('/operator/sign-out', {});
  expect(out.headers.get('clear-site-data')).toBe('"cache"');
  expect([await opens(copy), await sessions()]).toEqual([false, 0]);
});

test.each([
  ['role', { role: 'refund' }],
  ['disable', {}],
  ['reset', {}],
  ['end-sessions', {}],
])('an administrator ends the sessions of an operator with "%s"', async (action, fields) => {
  const admin = await kim();
  await makeAccount(world, 'lee', 'view');
  const lee = (await signInAs(world, 'lee')).browser;
  expect(await opens(lee)).toBe(true);
  const done = await admin.post(`/operator/accounts/${await idOf('lee')}/${action}`, fields);
  expect(done.status).toBe(200);
  expect([await opens(lee), await opens(admin)]).toEqual([false, true]);
  const again = (await signInAs(world, 'lee')).answer.status;
  expect(again).toBe(action === 'role' || action === 'end-sessions' ? 303 : 403);
  const logged = world.log.events('operator_account_changed').at(-1);
  expect(logged).toMatchObject({ name: 'lee', by: 'kim', action: action.replace('-', '_') });
});

test('a reset gives a new password, removes the second factor and enables the account', async () => {
  const admin = await kim();
  await makeAccount(world, 'lee', 'view');
  const { codeNow, confirm } = await setUp((await signInAs(world, 'lee')).browser);
  await confirm(codeNow());
  const id = await idOf('lee');
  const disabled = async () => {
    await admin.post(`/operator/accounts/${id}/disable`, {});
    return world.rows.query('select disabled_at from operators where id = $1', [id]);
  };
  const atFirst = await disabled();
  world.clock.advance(1);
  expect(await disabled()).toEqual(atFirst);
  const { html } = await admin.post(`/operator/accounts/${id}/reset`, {});
  const password = /id="made-password"[^>]*value="([\w-]{20})"/.exec(html)?.[1] ?? '';
  expect((await signInAs(world, 'lee', { password })).answer.status).toBe(303);
});

test('a generated password has to be changed before anything else, to another one', async () => {
  const admin = await kim();
  const added = await admin.post('/operator/accounts', { name: 'lee', role: 'decide' });
  const current = /id="made-password"[^>]*value="([\w-]{20})"/.exec(added.html)?.[1] ?? '';
  const lee = (await signInAs(world, 'lee', { password: current })).browser;
  expect((await lee.get('/operator/orders')).location).toBe('/operator/me');
  const refused = await lee.post('/operator/desk/discrepancies/1/sync', {});
  expect([refused.status, refused.html.includes('password_temporary')]).toEqual([403, true]);
  expect((await lee.get('/operator/me?lang=en')).html).toContain('temporary password');
  const change = async (next: string) => (await lee.post('/operator/me/password', { current, next })).status;
  expect([await change(current), await opens(lee)]).toEqual([400, false]);
  expect([await change('violet-harbour-77'), await opens(lee)]).toEqual([200, true]);
  expect((await lee.get('/operator/me?lang=en')).html).not.toContain('temporary password');
});

test('a name that differs only in case or in the form of its characters is taken', async () => {
  const admin = await kim();
  for (const name of ['KIM', 'ＫＩＭ', 'kim'])
    expect((await admin.post('/operator/accounts', { name, role: 'view' })).status).toBe(409);
  expect((await signInAs(world, 'KIM')).answer.status).toBe(403);
});

test('the last administrator can neither be disabled nor lose the role', async () => {
  const admin = await kim();
  await makeAccount(world, 'lee', 'admin');
  const [kimId, leeId] = [await idOf('kim'), await idOf('lee')];
  expect((await admin.post(`/operator/accounts/${leeId}/role`, { role: 'view' })).status).toBe(200);
  expect((await admin.post(`/operator/accounts/${kimId}/disable`, {})).status).toBe(409);
  expect((await admin.post(`/operator/accounts/${kimId}/role`, { role: 'refund' })).status).toBe(409);
  expect(await opens(admin)).toBe(true);
  expect((await admin.post('/operator/accounts/999999/disable', {})).status).toBe(404);
  expect((await admin.post('/operator/accounts', { name: 'lee', role: 'view' })).status).toBe(409);
});

test('a person changes the own password: other browsers are signed out, and the old one is refused', async () => {
  const browser = await kim('admin');
  const other = (await signInAs(world, 'kim')).browser;
  const change = async (fields: { current: string; next: string }) =>
    (await browser.post('/operator/me/password', fields)).status;
  expect(await change({ current: 'wrong', next: 'violet-harbour-77' })).toBe(403);
  expect(await change({ current: ACCOUNT_PASSWORD, next: 'short' })).toBe(400);
  expect(await opens(other)).toBe(true);
  expect(await change({ current: ACCOUNT_PASSWORD, next: 'violet-harbour-77' })).toBe(200);
  expect([await opens(browser), await opens(other)]).toEqual([true, false]);
  expect((await signInAs(world, 'kim')).answer.status).toBe(403);
  expect((await signInAs(world, 'kim', { password: 'violet-harbour-77' })).answer.status).toBe(303);
});

test('the current password cannot be guessed in a browser that was left signed in', async () => {
  const browser = await kim();
  const guess = { current: 'wrong', next: 'violet-harbour-77' };
  for (let tries = 1; tries <= 10; tries += 1) await browser.post('/operator/me/password', guess);
  const right = { ...guess, current: ACCOUNT_PASSWORD };
  expect((await browser.post('/operator/me/password', right)).status).toBe(429);
  // Each person has ten tries.
  await makeAccount(world, 'lee', 'view');
  const lee = (await signInAs(world, 'lee')).browser;
  expect((await lee.post('/operator/me/password', right)).status).toBe(200);
});
