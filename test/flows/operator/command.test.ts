// `npm run tool -- operators` beside a merchant: it adds an account that signs in at once, changes and disables it.

import { command } from '../../../src/merchant/options/operator/command';
import { runHere } from '../../support/beside-world';
import { useWorld } from '../../support/use-world';
import { makeAccount, signInAs } from './accounts-setup';

const world = useWorld();
beforeEach(() => world.rows.query('delete from operator_sessions; delete from operators'));
const run = (...args: string[]) => runHere(world, command, args);

test('an account is added, signs in, and is listed, reset and disabled by command', async () => {
  expect((await run()).output).toContain('OPERATOR_PASSWORD signs in');
  const added = await run('add', 'kim', '--role', 'admin', '--by', 'root', '--json');
  expect(added.exitCode).toBe(0);
  const { password } = JSON.parse(added.output) as { password: string };
  expect((await signInAs(world, 'kim', { password })).answer.status).toBe(303);
  // The log of the command is on standard error, without the password.
  expect(added.errors).toContain('"by":"root"');
  expect(added.errors).not.toContain(password);

  expect((await run()).output).toBe('kim  admin  no second factor  1 sessions\n');
  expect((await run('disable', 'kim')).exitCode).toBe(1);
  // The hash of a password has the cost of production, so few are made.
  await makeAccount(world, 'lee', 'view');
  expect((await run('role', 'lee', '--role', 'refund')).exitCode).toBe(0);
  expect((await run('disable', 'lee')).exitCode).toBe(0);
  expect((await run()).output).toMatch(/^lee {2}refund {2}no second factor {2}disabled 20/m);
  const reset = JSON.parse((await run('reset', 'kim', '--json')).output) as { password: string };
  expect(reset.password).not.toBe(password);
  expect((await signInAs(world, 'kim', { password: reset.password })).answer.status).toBe(303);
});

test('the audit log has each change by the command, also a refused one, and no password', async () => {
  // The first account would have to be an administrator's.
  await makeAccount(world, 'kim', 'admin');
  const [{ last } = { last: '0' }] = await world.rows.query<{ last: string }>(
    'select coalesce(max(id), 0) as last from operator_actions',
  );
  const added = await run('add', 'choi', '--role', 'decide', '--by', 'root', '--json');
  await run('disable', 'nobody', '--by', 'root');
  await run('reset', 'choi', '--by', 'root');
  const rows = await world.rows.query('select * from operator_actions where id > $1 order by id', [last]);
  const row = { by: 'root', subject: 'accounts', source_address: null };
  const detail = { account: 'choi', command: 'operators' };
  expect(rows).toMatchObject([
    { ...row, action: 'add', outcome: 'done', detail: { ...detail, role: 'decide' } },
    { ...row, action: 'disable', outcome: 'not_found', detail: { ...detail, account: 'nobody' } },
    { ...row, action: 'reset', outcome: 'done', detail },
  ]);
  const { password } = JSON.parse(added.output) as { password: string };
  expect(JSON.stringify(rows)).not.toContain(password);
});

test.each([
  ['add', 'other'],
  ['add', 'other', '--role', 'king'],
  ['role', 'kim'],
  ['lose', 'kim'],
  ['disable'],
])('operators %s … is refused with 2', async (...args) => {
  const { exitCode, output } = await run(...args);
  expect([exitCode, output]).toEqual([2, '']);
});
