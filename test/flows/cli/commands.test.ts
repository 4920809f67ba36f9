// The commands beside a merchant. Each reports its result, changes only what it should, and ends with the exit code in its help.
// test/processes/commands.test.ts interrupts one, and test/processes/image.test.ts runs all of them as processes.

import { command as doctor } from '../../../src/merchant/cli/doctor';
import { command as explain } from '../../../src/merchant/cli/explain';
import { command as reconcile } from '../../../src/merchant/cli/reconcile';
import { command as replay } from '../../../src/merchant/cli/replay';
import { command as restored } from '../../../src/merchant/cli/restored';
import { runHere } from '../../support/beside-world';
import { orderStatus, paySilently, registerOrders } from '../../support/orders';
import { resetWorld } from '../../support/reconciliation';
import { TOKEN } from '../../support/sandbox-controls';
import { useWorld } from '../../support/use-world';

const world = useWorld();
beforeEach(() => resetWorld(world));

const COMMANDS = { doctor, explain, reconcile, replay, restored };
const run = (name: keyof typeof COMMANDS, ...args: string[]) => runHere(world, COMMANDS[name], args);

test('reconcile reports what was seen, repaired and could not be repaired', async () => {
  await registerOrders(world, ['good', 'dear']);
  await paySilently(world, 'good');
  const forged = await paySilently(world, 'dear', { amount: 1 });
  const dry = await run('reconcile', '--dry-run', '--json');
  expect(dry.exitCode).toBe(1);
  expect(JSON.parse(dry.output)).toMatchObject({
    dry_run: true,
    lists: { paid: { seen: 2, to_repair: 1, unresolved: { amount_mismatch: 1 } } },
  });
  expect(await world.rows.query('select 1 from payments')).toEqual([]);

  const first = await run('reconcile');
  expect(first.exitCode).toBe(1);
  expect(first.output).toMatch(/paid +2 +0 +1 +1 amount_mismatch/);
  expect(first.output).toContain(`${forged.svc_uid}  dear  amount_mismatch`);
  expect(first.errors).toContain('schedules 100 %');
  expect(await orderStatus(world, 'good')).toBe('paid');
});

test('reconcile ends with 3 if the service does not answer', async () => {
  await world.sandbox.fault({ endpoint: TOKEN, kind: 'status', status: 503, times: 1 });
  const failed = await run('reconcile');
  expect([failed.exitCode, failed.output]).toEqual([3, '']);
  expect(failed.errors).toContain('The payment service');
});

test('replay checks a stored notification again, any number of times', async () => {
  const payment = await world.sandbox.pay({ merchant_uid: 'later', amount: 1000 });
  const [row] = await world.rows.query<{ id: string }>(
    `select id from notifications where outcome = 'unknown_order'`,
  );
  const id = row?.id ?? '';
  await registerOrders(world, ['later']);
  const first = await run('replay', id, '--json');
  expect([first.exitCode, JSON.parse(first.output)]).toMatchObject([
    0,
    { svc_uid: payment.svc_uid, outcome: 'recorded' },
  ]);
  expect((await run('replay', id)).output).toContain(': unchanged');
  expect((await run('replay', '999999')).exitCode).toBe(2);
  expect(await world.rows.query('select outcome from notifications')).toEqual([{ outcome: 'unchanged' }]);
  expect(await world.rows.query('select 1 from discrepancies where resolved_at is null')).toEqual([]);
});

test('explain shows the history of a record that cannot be read, and its fields at fault', async () => {
  await registerOrders(world, ['odd']);
  const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: 'odd', amount: 1000 });
  await world.sandbox.control(svcUid, 'tamper', { amount: 10.5 });
  for (const id of [svcUid, 'odd']) {
    const { exitCode, output } = await run('explain', id);
    expect(exitCode).toBe(1);
    expect(output.replace(/\s+/g, ' ')).toMatch(
      /reported paid: recorded.* Service paid 10\.5 KRW, for odd; cannot be read: amount Verdict none: a person decides/,
    );
  }
  const json = JSON.parse((await run('explain', svcUid, '--json')).output) as unknown;
  expect(json).toMatchObject({ unreadable: ['amount'], stored: { amount: 1000 } });

  await world.sandbox.control(svcUid, 'tamper', { merchant_uid: '주문:1001' });
  await run('reconcile');
  const byOrder = await run('explain', '주문:1001');
  expect([byOrder.exitCode, byOrder.output]).toEqual([1, expect.stringContaining('needs_review')]);
  expect((await run('explain', '주문:1002')).output).toContain('was not asked');
});

test('explain shows the history although the service does not answer, and ends with 3', async () => {
  await registerOrders(world, ['down']);
  const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: 'down', amount: 1000 });
  for (const id of [svcUid, 'down']) {
    await world.sandbox.fault({ endpoint: TOKEN, kind: 'status', status: 503, times: 5 });
    const { exitCode, output } = await run('explain', id);
    await world.sandbox.clearFaults();
    expect(exitCode).toBe(3);
    expect(output).toContain('reported paid: recorded');
    expect(output).toContain('The payment service does not answer');
  }
});

test('explain of an order paid twice shows the open discrepancy and the deliveries of its events, and ends with 1', async () => {
  await registerOrders(world, ['twice']);
  for (let times = 0; times < 2; times += 1) await world.sandbox.pay({ merchant_uid: 'twice', amount: 1000 });
  await world.runEveryMinute();
  const { body } = await world.api('GET', '/api/events?merchant_uid=twice');
  const { exitCode, output } = await run('explain', 'twice');
  expect(exitCode).toBe(1);
  expect(output).toMatch(/Open +duplicate_payment #\d+: a second payment holds money/);
  // After `restored` versions do not begin at 1.
  expect(output).toMatch(new RegExp(`event twice:${body.list[0].data.version} order\\.paid: \\w+ delivered`));
});

test('explain shows the history of a payment and changes nothing', async () => {
  await registerOrders(world, ['explained', 'dear']);
  const paid = await world.sandbox.pay({ merchant_uid: 'explained', amount: 1000 });
  const forged = await world.sandbox.pay({ merchant_uid: 'dear', amount: 999 });
  const silent = await paySilently(world, 'explained');
  const before = await world.rows.books();
  const well = await run('explain', paid.svc_uid);
  expect(well.exitCode).toBe(0);
  expect(well.output).toMatch(/notification \d+ from 52\.78\.\d+\.\d+ reported paid: recorded/);
  expect(well.output).toContain('Stored   paid 1,000 KRW');
  const discrepancies = [{ expected: '1000 KRW', actual: '999 KRW' }];
  const verdict = { outcome: 'amount_mismatch', discrepancies };
  const badly = await run('explain', forged.svc_uid, '--json');
  expect([badly.exitCode, JSON.parse(badly.output)]).toMatchObject([
    1,
    { stored: null, service: { amount: 999 }, verdict },
  ]);

  // By the number of the order: what is stored, what is not, and what was never notified.
  const order = await run('explain', 'explained');
  expect(order.exitCode).toBe(1);
  expect(order.output).toContain('Order     paid, 1,000 KRW expected');
  expect(order.output).toContain(`${silent.svc_uid} for explained\n\n  No notification has arrived`);
  expect(await world.rows.books()).toBe(before);
});

test('once a person has decided, explain and reconcile find nothing to do, and the note has no card number', async () => {
  const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: 'nobody', amount: 1000 });
  const [row] = await world.rows.query<{ id: string }>('select id from discrepancies');
  expect((await run('explain', svcUid)).exitCode).toBe(1);
  expect((await run('reconcile', '--dry-run')).exitCode).toBe(1);
  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel'));
  const decision = { resolution: 'refunded', note: 'refunded to 4242-4242-4242-4242', by: 'kim' };
  expect((await world.api('POST', `/api/discrepancies/${row?.id}/resolve`, decision)).status).toBe(200);
  expect(
    await world.rows.query('select resolution, resolved_by, resolution_note from discrepancies'),
  ).toEqual([
    { resolution: 'refunded', resolved_by: 'kim', resolution_note: 'refunded to 424242******4242' },
  ]);
  expect((await run('explain', svcUid)).exitCode).toBe(0);
  const dry = await run('reconcile', '--dry-run');
  expect([dry.exitCode, dry.output]).toEqual([0, expect.stringContaining('A person has decided about')]);
});

test.each([
  ['doctor live', 'too many arguments'],
  ['doctor --liv', "unknown option '--liv'\n(Did you mean --live?)"],
  ['reconcile --dryrun', "unknown option '--dryrun'\n(Did you mean --dry-run?)"],
  ['reconcile --from', "option '--from <time>' argument missing"],
  ['reconcile --from --dry-run', '--from "--dry-run" is not a time'],
  ['reconcile --to 2026-11-21', '--to needs a --from.'],
  ['explain', "missing required argument 'id'"],
  ['replay 4711x', 'There is no notification 4711x.'],
  ['replay event', "missing required argument 'event id'"],
  ['replay 4711 --target url', "unknown option '--target'"],
])('%s says what is wrong', async (line, said) => {
  const [name = '', ...args] = line.split(' ');
  const { exitCode, errors } = await run(name as keyof typeof COMMANDS, ...args);
  expect([exitCode, errors]).toEqual([2, expect.stringContaining(said)]);
  expect(errors).toMatch(/\nSee --help\.\n$/);
});

test.each(Object.keys(COMMANDS))('%s --help has each option and the exit codes', async (name) => {
  const { exitCode, output, errors } = await run(name as keyof typeof COMMANDS, '--help');
  expect([exitCode, errors]).toEqual([0, '']);
  expect(output).toMatch(/^Usage: npm run .*\n\n[A-Z][^]*\n {2}--json .*\n[^]*\nExit code: 0 /);
  expect(output.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test('a dry run that npm took for itself does not become a real one', async () => {
  const { exitCode, errors } = await runHere(world, reconcile, [], { npm_config_dry_run: 'true' });
  expect([exitCode, errors]).toEqual([2, expect.stringContaining('npm run … -- --dry-run')]);
});

test('restored is refused while a server is connected, increases all numbers with --force, and changes no row', async () => {
  await registerOrders(world, ['restored']);
  // The server has a connection since its last request.
  await world.api('GET', '/api/orders');
  const before = await world.rows.books();
  const refused = await run('restored');
  expect([refused.exitCode, refused.output]).toEqual([1, '']);
  expect(refused.errors).toMatch(/\(.*merchant.*\)[^]*stop all processes/);
  const beforeMs = Date.now();
  const forced = await run('restored', '--force', '--json');
  expect(forced.exitCode).toBe(0);
  const { position, version } = JSON.parse(forced.output) as { position: string; version: number };
  expect(Number(position)).toBeGreaterThanOrEqual(beforeMs);
  expect((await run('restored', '--force')).output).toContain('npm run reconcile -- --from');
  expect(await world.rows.books()).toBe(before);
  await paySilently(world, 'restored');
  await run('reconcile');
  const { body } = await world.api('GET', '/api/events?merchant_uid=restored');
  expect(body.list).toHaveLength(1);
  expect(Number(body.list[0].position)).toBeGreaterThan(Number(position));
  expect(body.list[0].data.version).toBeGreaterThan(version);
});
