// The rows of accounts and sessions: what one code, one recovery code and one password admit, and which session counts.

import { Client } from 'pg';
import {
  changeAccount,
  deleteExpiredSessions,
  findLiveSession,
  insertAccount,
  insertAccountSession,
  insertPasswordSession,
  useRecoveryCode,
  useStep,
} from '../../../src/merchant/options/operator/accounts/store';
import type { Role } from '../../../src/merchant/options/operator/frame/roles';
import { useRunningContext } from '../../support/use-world';

const running = useRunningContext();
beforeEach(() => running.rows.query('truncate operators, operator_sessions restart identity cascade'));

const hash = (letter: string) => letter.repeat(64);
const BY_COMMAND = { author: { accountId: null }, exceptSession: null };
async function account(name: string, role: Role = 'admin') {
  const made = await insertAccount(
    running.context,
    {
      name,
      role,
      passwordHash: `of-${name}`,
      mustChange: false,
    },
    { accountId: null, mustBeFirst: false },
  );
  if (typeof made === 'string') throw new Error(made);
  return made;
}
const secondFactor = (id: bigint, values: { secret: string; step: number | null; codes?: string[] }) =>
  running.rows.query(
    'update operators set totp_secret = $2, totp_last_step = $3, recovery_codes = $4 where id = $1',
    [id, values.secret, values.step, values.codes ?? []],
  );

test('a time step signs in once, also with the secret as it is encrypted now, and an older step never', async () => {
  const { id } = await account('kim');
  const use = (step: number, totpSecret: string) =>
    useStep(running.context, { id, totpSecret }, step, `${totpSecret}+`);
  await secondFactor(id, { secret: 'a', step: null });
  expect([await use(7, 'a'), await use(7, 'a+'), await use(6, 'a+'), await use(8, 'a+')]).toEqual([
    true,
    false,
    false,
    true,
  ]);
  // Of a secret that was replaced meanwhile nothing is used or written back.
  await secondFactor(id, { secret: 'new', step: null });
  expect(await use(9, 'a++')).toBe(false);
  expect(await running.rows.query('select totp_secret from operators')).toEqual([{ totp_secret: 'new' }]);
});

test('of several sign-ins with one step, or one recovery code, at the same time one succeeds', async () => {
  const { id } = await account('kim');
  await secondFactor(id, { secret: 'a', step: 1, codes: [hash('a'), hash('b')] });
  const steps = await Promise.all(
    [1, 2, 3].map(() => useStep(running.context, { id, totpSecret: 'a' }, 2, 'a')),
  );
  expect(steps.filter(Boolean)).toHaveLength(1);
  const codes = await Promise.all([1, 2, 3].map(() => useRecoveryCode(running.context, id, hash('a'))));
  expect(codes.filter(Boolean)).toHaveLength(1);
  expect(await running.rows.query('select recovery_codes as left from operators')).toEqual([
    { left: [hash('b')] },
  ]);
});

test('a recovery code is of one account', async () => {
  const [kim, lee] = [await account('kim'), await account('lee')];
  await secondFactor(kim.id, { secret: 'a', step: 1, codes: [hash('a')] });
  await secondFactor(lee.id, { secret: 'b', step: 1, codes: [hash('b')] });
  expect(await useRecoveryCode(running.context, lee.id, hash('a'))).toBe(false);
  expect(await useRecoveryCode(running.context, kim.id, hash('a'))).toBe(true);
});

test('two administrators who take the role from each other at once leave one', async () => {
  for (let round = 0; round < 5; round += 1) {
    await running.rows.query('truncate operators, operator_sessions cascade');
    for (const name of ['kim', 'lee']) await account(name);
    const both = await Promise.all(
      ['kim', 'lee'].map((name) => changeAccount(running.context, name, { role: 'view' }, BY_COMMAND)),
    );
    expect(both.filter((each) => each === 'last_admin')).toHaveLength(1);
    expect(await running.rows.query(`select from operators where role = 'admin'`)).toHaveLength(1);
  }
});

test('a session is opened only with the password that was compared, of an account that is enabled', async () => {
  const { id } = await account('kim');
  await account('lee');
  const open = (letter: string, passwordHash: string) =>
    insertAccountSession(running.context, { tokenHash: hash(letter) }, { id, passwordHash });
  expect([await open('a', 'of-kim'), await open('b', 'of-before')]).toEqual([true, false]);
  await changeAccount(running.context, 'kim', { disabledAt: running.clock.now() }, BY_COMMAND);
  expect(await open('c', 'of-kim')).toBe(false);
  expect(await running.rows.query('select from operator_sessions')).toEqual([]);
});

test('a session is not opened with a password that is being changed', async () => {
  const { id, passwordHash } = await account('kim');
  const other = new Client({ connectionString: running.database.url });
  await other.connect();
  try {
    await other.query('begin');
    await other.query(`update operators set password_hash = 'new'`);
    const opened = insertAccountSession(running.context, { tokenHash: hash('a') }, { id, passwordHash });
    const waits = running.rows.waitFor(`select from pg_stat_activity where wait_event_type = 'Lock'
      and datname = current_database() and query like '%insert into operator_sessions%'`);
    await Promise.race([opened, waits]);
    await other.query('commit');
    expect(await opened).toBe(false);
    await waits;
  } finally {
    await other.end();
  }
});

test('a change of an account ends all its sessions except the given one, and those of no other account', async () => {
  const [kim, lee] = [await account('kim'), await account('lee')];
  for (const [letter, { id, passwordHash }] of [
    ['a', kim],
    ['b', kim],
    ['c', lee],
  ] as const)
    expect(
      await insertAccountSession(running.context, { tokenHash: hash(letter) }, { id, passwordHash }),
    ).toBe(true);
  const left = async () =>
    (
      await running.rows.query<{ letter: string }>(
        'select left(token_hash, 1) as letter from operator_sessions order by 1',
      )
    ).map(({ letter }) => letter);
  await changeAccount(
    running.context,
    'kim',
    { mustChange: false },
    { ...BY_COMMAND, exceptSession: hash('b') },
  );
  expect(await left()).toEqual(['b', 'c']);
  await changeAccount(running.context, 'kim', { mustChange: false }, BY_COMMAND);
  expect(await left()).toEqual(['c']);
});

const minutesAgo = (minutes: number) => new Date(running.clock.nowMs() - minutes * 60_000);
const isLive = async (letter: string, openedWith = ['first']) =>
  (await findLiveSession(running.context, hash(letter), openedWith)) !== null;

test('a session counts until it is too old or unused for too long, and its account is disabled', async () => {
  const { id, passwordHash } = await account('kim');
  const session = async (letter: string, createdMinutes: number, usedMinutes: number) => {
    await insertAccountSession(running.context, { tokenHash: hash(letter) }, { id, passwordHash });
    await running.rows.query(
      'update operator_sessions set created_at = $2, last_used_at = $3 where token_hash = $1',
      [hash(letter), minutesAgo(createdMinutes), minutesAgo(usedMinutes)],
    );
  };
  await session('a', 12 * 60 - 1, 14);
  await session('b', 12 * 60, 1);
  await session('c', 20, 15);
  expect([await isLive('a'), await isLive('b'), await isLive('c'), await isLive('d')]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  await deleteExpiredSessions(running.context);
  expect(await running.rows.query('select left(token_hash, 1) as letter from operator_sessions')).toEqual([
    { letter: 'a' },
  ]);
  await running.rows.query('update operators set disabled_at = now()');
  expect(await isLive('a')).toBe(false);
});

test('a session of OPERATOR_PASSWORD counts while its value is accepted and there is no account', async () => {
  await insertPasswordSession(running.context, { tokenHash: hash('a'), name: 'kim' }, 'first');
  expect([await isLive('a'), await isLive('a', ['second', 'first']), await isLive('a', ['second'])]).toEqual([
    true,
    true,
    false,
  ]);
  await account('lee');
  expect(await isLive('a')).toBe(false);
});
