// A flood of sign-ins: passwords are hashed one at a time, what does not fit is refused at once, and a person at a known
// network still signs in.

import { passwordHashes } from '../../../src/merchant/options/operator/accounts/password';
import { ask } from '../../support/ask';
import { createMemberBrowser } from '../../support/browsers';
import { useWorld } from '../../support/use-world';
import { ACCOUNT_PASSWORD, makeAccount, signInAs } from './accounts-setup';

const world = useWorld();
beforeEach(async () => {
  await world.rows.query('delete from operator_sessions');
  await world.rows.query('delete from operators');
  await world.rows.query('delete from card_limits');
  await makeAccount(world, 'kim', 'admin');
  world.log.clear();
});

const WRONG = 'not-the-password-0123456789';
const network = (nth: number) => `203.${nth >> 8}.${nth & 255}.9`;
const tryFrom = (source: string, by = 'kim', password = WRONG) =>
  createMemberBrowser(world).post(
    '/operator/sign-in?lang=en',
    { by, password },
    { 'x-forwarded-for': source },
  );
const MOST_AT_ONCE = 8;

/** No hash ends while `act` runs. */
async function whileHashing<Result>(act: () => Promise<Result>): Promise<Result> {
  let end = (): void => undefined;
  const held = passwordHashes.run(() => new Promise<void>((resolve) => (end = resolve)));
  try {
    return await act();
  } finally {
    end();
    await held;
  }
}

const until = async (isSo: () => boolean | Promise<boolean>) => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5));
};

test('O5 while a password is hashed only eight sign-ins wait, and the rest of a flood is refused at once and counted', async () => {
  const flood = 60;
  const before = { refused: await tooMany(), recorded: await wrongPasswords() };
  let refused = 0;
  const answers = await whileHashing(async () => {
    const all = Array.from({ length: flood }, (_, nth) => tryFrom(network(nth)));
    for (const each of all) void each.then(() => (refused += 1));
    await until(() => refused === flood - MOST_AT_ONCE);
    return all;
  });
  const pages = await Promise.all(answers);
  const refusals = pages.filter(({ status }) => status === 429);
  expect(refusals).toHaveLength(flood - MOST_AT_ONCE);
  for (const { headers, html } of refusals)
    expect([headers.get('retry-after'), html.includes('Too many people are signing in')]).toEqual([
      '5',
      true,
    ]);
  expect((await wrongPasswords()) - before.recorded).toBe(MOST_AT_ONCE);
  expect((await tooMany()) - before.refused).toBe(flood - MOST_AT_ONCE);
  expect(world.log.events('operator_sign_in_failed')).toHaveLength(flood);
});

test('O5 while a flood has all places, the API and the readiness answer, and a person at a known network signs in', async () => {
  const home = '198.51.100.7';
  expect((await tryFrom(home, 'kim', ACCOUNT_PASSWORD)).status).toBe(303);
  await world.rows.query(`delete from card_limits where key like 'guesses-account:%'`);
  const { signedIn, flood } = await whileHashing(async () => {
    const all = Array.from({ length: MOST_AT_ONCE }, (_, nth) => tryFrom(network(nth)));
    await until(async () => (await counted('guesses-account')) === MOST_AT_ONCE);
    expect((await tryFrom(network(99), 'kim', ACCOUNT_PASSWORD)).status).toBe(429);
    expect((await ask(world.url, 'GET', '/readyz', {})).status).toBe(200);
    expect((await world.api('GET', '/api/orders')).status).toBe(200);
    return { signedIn: tryFrom(home, 'kim', ACCOUNT_PASSWORD), flood: all };
  });
  expect((await signedIn).status).toBe(303);
  await Promise.all(flood);
});

test('O5 also a signed-in administrator waits for a place, and nothing is changed without one', async () => {
  const { browser } = await signInAs(world, 'kim');
  const inside: Promise<unknown>[] = [];
  const answer = await whileHashing(async () => {
    let isFull = false;
    while (!isFull) {
      const run = passwordHashes.run(() => Promise.resolve('ran'));
      inside.push(run);
      isFull = (await Promise.race([run, new Promise((resolve) => setImmediate(resolve))])) === null;
    }
    return browser.post('/operator/accounts', { name: 'lee', role: 'view' });
  });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '5']);
  expect(await world.rows.query(`select 1 from operators where name = 'lee'`)).toEqual([]);
  await Promise.all(inside);
});

test('O10 wrong passwords from strange networks lock a name for strangers, and never where its owner has signed in before', async () => {
  const home = '198.51.100.7';
  const signIn = async (source: string, password = ACCOUNT_PASSWORD) =>
    (await tryFrom(source, 'kim', password)).status;
  expect(await signIn(home)).toBe(303);
  // One network has ten guesses, and does not lock the name for another one.
  const guesses = [];
  for (let time = 0; time < 11; time += 1) guesses.push(await signIn('192.0.2.1', WRONG));
  expect(guesses).toEqual([...Array<number>(10).fill(403), 429]);
  expect(await signIn('192.0.2.77')).toBe(429);
  expect(await signIn(network(1))).toBe(303);
  // Many networks together lock it, except at the known ones.
  for (let nth = 2; nth < 9; nth += 1) expect(await signIn(network(nth), WRONG)).toBe(403);
  expect([await signIn(network(50)), await signIn(home), await signIn(network(1))]).toEqual([429, 303, 303]);
  // Another address is not the known network, though its neighbour.
  expect(await signIn('198.51.100.8')).toBe(429);
  // At the known network a guesser has ten tries as well.
  for (let time = 0; time < 10; time += 1) expect(await signIn(home, WRONG)).toBe(403);
  expect(await signIn(home)).toBe(429);
});

test('O10 the next /64 of a known address is strange, and a known network is forgotten 90 days after its last sign-in', async () => {
  const signIn = async (source: string, password = ACCOUNT_PASSWORD) =>
    (await tryFrom(source, 'kim', password)).status;
  const lock = async () => {
    for (let nth = 0; nth < 10; nth += 1) await signIn(network(nth), WRONG);
  };
  const passDays = (days: number) => world.clock.advance(days * 24 * 3600);
  expect(await signIn('2001:db8:0:1::7')).toBe(303);
  passDays(60);
  await lock();
  expect(await signIn('2001:db8:0:1:ffff::1')).toBe(303);
  expect(await signIn('2001:db8:0:2::1')).toBe(429);
  passDays(60);
  await lock();
  expect(await signIn('2001:db8:0:1::7')).toBe(303);
  passDays(91);
  await lock();
  expect(await signIn('2001:db8:0:1::7')).toBe(429);
});

async function tooMany(): Promise<number> {
  const refused = /merchant_operator_sign_ins_total\{outcome="too_many"\} (\d+)/.exec(await world.counters());
  return Number(refused?.[1]);
}

/** In the audit log, which no test can empty. */
async function wrongPasswords(): Promise<number> {
  return (await world.rows.query(`select 1 from operator_actions where outcome = 'wrong_password'`)).length;
}

async function counted(limit: string): Promise<number> {
  return (await world.rows.query('select 1 from card_limits where key like $1', [`${limit}:%`])).length;
}
