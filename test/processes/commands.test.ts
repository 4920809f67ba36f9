// The commands run as real processes beside a merchant. Each says what it found, changes no more than it should, and
// ends with the exit code that its help names.

import { userInfo } from 'node:os';
import { runCommand } from '../support/beside-world';
import { eventually } from '../support/eventually';
import { orderStatus, paySilently, registerOrders } from '../support/orders';
import { resetWorld } from '../support/reconciliation';
import { LIST_PAYMENTS, TOKEN } from '../support/sandbox-controls';
import { useWorld } from '../support/use-world';

const ANSI = '\u001b[';
const world = useWorld();
beforeEach(() => resetWorld(world));

const run = (name: string, ...args: string[]) => runCommand(world, name, args).ended;
const away = () => world.sandbox.fault({ endpoint: TOKEN, kind: 'status', status: 503, times: 1 });

test.each([
  ['migrate', ['backwards']],
  ['reconcile', ['--from', 'yesterday']],
  ['doctor', ['--loudly']],
  ['replay', ['the-last-one']],
  ['explain', ['../users']],
  ['restored', ['1128']],
  ['settle', ['charge', 'abc', 'refunded', '--note', 'why']],
])('%s explains itself, and refuses what it does not understand with exit code 2', async (name, wrong) => {
  const [help, refused] = await Promise.all([run(name, '--help'), run(name, ...wrong)]);
  expect([help.exitCode, help.output]).toEqual([0, expect.stringContaining('Exit code: 0')]);
  expect(help.output.startsWith(`npm run ${name} `)).toBe(true);
  expect([refused.exitCode, refused.output]).toEqual([2, '']);
  expect(refused.errors).toContain('See --help.');
  expect(refused.errors).not.toContain('    at ');
});

test('reconcile says what was seen, repaired and not repairable, without control characters in a pipe', async () => {
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
  expect(first.errors).toContain('paid 100 %');
  expect(first.output + first.errors).not.toContain(ANSI);
  expect(await orderStatus(world, 'good')).toBe('paid');
});

test('reconcile ends with 3 where the service is away, and with 130 where somebody interrupts it', async () => {
  await registerOrders(world, ['slow']);
  await paySilently(world, 'slow');
  await away();
  const failed = await run('reconcile');
  expect([failed.exitCode, failed.output]).toEqual([3, '']);
  expect(failed.errors).toContain('The payment service');

  await world.sandbox.fault({ endpoint: LIST_PAYMENTS, kind: 'delay', delay_ms: 1500, times: 100 });
  const interrupted = runCommand(world, 'reconcile', ['--json']);
  await eventually(async () => (await world.sandbox.requests(LIST_PAYMENTS)) > 0);
  interrupted.child.kill('SIGINT');
  expect((await interrupted.ended).exitCode).toBe(130);
  await world.sandbox.clearFaults();
  expect((await run('reconcile')).exitCode).toBe(0);
  expect(await orderStatus(world, 'slow')).toBe('paid');
});

test('doctor finds nothing wrong here, and names what is', async () => {
  // The commands live by the host's clock.
  world.clock.advance((Date.now() - world.clock.nowMs()) / 1000);
  const traces = async () => ({
    books: await world.rows.books(),
    counted: (await (await fetch(`${world.url}/metrics`)).text()).match(/^merchant_(notific|webhook).*$/gm),
    logged: world.log.events('webhook_source_not_listed').length,
  });
  const before = await traces();
  const doctor = async (changes: Record<string, string>) => {
    const { exitCode, output } = await runCommand(world, 'doctor', ['--json'], changes).ended;
    const { checks } = JSON.parse(output) as { checks: { name: string; state: string; says: string }[] };
    return { exitCode, output, checks, states: checks.map(({ name, state }) => `${name} ${state}`) };
  };
  const well = await doctor({ PORT: new URL(world.url).port });
  expect([well.exitCode, well.states.filter((each) => !each.endsWith(' ok'))]).toEqual([
    0,
    ['legal pages warning'],
  ]);
  expect(well.checks.find(({ name }) => name === 'webhook')?.says).toMatch(
    /from here refused; as 52.78.100.19 .* let in; as 203.0.113.7 refused/,
  );
  expect(await traces()).toEqual(before);

  const wrong = await doctor({
    SERVICE_SECRET: 'not-the-secret',
    DATABASE_URL: world.databaseUrl.replace(/:\d+\//, ':9/'),
    PORT: '9',
  });
  expect(wrong.exitCode).toBe(1);
  expect(wrong.states).toEqual(
    expect.arrayContaining(['database failed', 'service failed', 'webhook skipped']),
  );
  expect(wrong.output).not.toContain('not-the-secret');
});

test('replay looks again at a stored notification, as often as one likes', async () => {
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

test('explain tells the story of a payment and changes nothing', async () => {
  await registerOrders(world, ['explained', 'dear']);
  const paid = await world.sandbox.pay({ merchant_uid: 'explained', amount: 1000 });
  const forged = await world.sandbox.pay({ merchant_uid: 'dear', amount: 999 });
  const silent = await paySilently(world, 'explained');
  // A row of a version that took such names.
  await world.rows.query(
    `insert into refunds (svc_uid, amount, cancelled_before, cancel_reason, status, started_at, resolved_at, requested_by)
     values ($1, 1, 0, 'x', 'refused', now(), now(), $2)`,
    [paid.svc_uid, 'ki\u202em'],
  );
  const before = await world.rows.books();
  const well = await run('explain', paid.svc_uid);
  expect(well.exitCode).toBe(0);
  expect(well.output).toMatch(/notification \d+ from 52\.78\.\d+\.\d+ said paid: recorded/);
  expect(well.output).toContain('Stored   paid 1000 KRW');
  expect(well.output).toContain('asked for by ki\\u202em');
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
  expect(order.output).toContain('Order     paid, 1000 KRW expected');
  expect(order.output).toContain(`${paid.svc_uid} for explained`);
  expect(order.output).toContain(`${silent.svc_uid} for explained\n\n  No notification came`);
  const nothing = await run('explain', 'order-of-nobody');
  expect([nothing.exitCode, nothing.output]).toEqual([1, expect.stringContaining('Nothing is known of')]);
  expect(await world.rows.books()).toBe(before);
});

test('settle writes down what a person decided, a card number masked, and refuses what the service contradicts', async () => {
  const { svc_uid: svcUid } = await world.sandbox.pay({ merchant_uid: 'nobody', amount: 1000 });
  const [row] = await world.rows.query<{ id: string }>('select id from discrepancies');
  const id = row?.id ?? '';
  const settle = (outcome: string, ...more: string[]) => run('settle', 'discrepancy', id, outcome, ...more);
  const refused = await settle('refunded', '--note', 'given back', '--json');
  const reason = `The payment service shows ${svcUid} as paid: it holds 1000 KRW.`;
  expect([refused.exitCode, refused.errors]).toEqual([1, '']);
  expect(JSON.parse(refused.output)).toMatchObject({ settled: false, reason });
  await world.withoutNotifications(() => world.sandbox.control(svcUid, 'cancel'));
  const settled = await settle('refunded', '--note', 'given back to 4242-4242-4242-4242', '--by', 'kim');
  const says = `The discrepancy ${id} is settled as refunded by kim.\n`;
  expect([settled.exitCode, settled.output]).toEqual([0, says]);
  const decision = { event: 'decision', decided: 'discrepancy', id, by: 'kim' };
  expect(JSON.parse(settled.errors)).toMatchObject(decision);
  expect(
    await world.rows.query('select resolution, resolved_by, resolution_note from discrepancies'),
  ).toEqual([
    { resolution: 'refunded', resolved_by: 'kim', resolution_note: 'given back to 424242******4242' },
  ]);
  const again = await settle('ignored', '--note', 'twice');
  expect([again.exitCode, again.output]).toEqual([1, expect.stringContaining('is settled already')]);
  const unknown = await run('settle', 'discrepancy', '999999', 'ignored', '--note', 'x');
  expect([unknown.exitCode, unknown.errors]).toEqual([2, expect.stringContaining('no discrepancy 999999')]);
});

test('settle decides about a charge, a refund and an issuance as well, by the user of this computer', async () => {
  await registerOrders(world, ['lost']);
  const payment = await paySilently(world, 'elsewhere');
  await world.rows.query(
    `insert into charges (id, merchant_uid, kind, status, started_at)
     values ('lostcharge', 'lost', 'again', 'unknown', now() - interval '10 minutes')`,
  );
  const [refund] = await world.rows.query<{ id: string }>(
    `insert into refunds (svc_uid, amount, cancelled_before, cancel_reason, status, started_at)
     values ($1, 1000, 0, 'cold', 'unknown', now() - interval '10 minutes') returning id`,
    [payment.svc_uid],
  );
  const [issuance] = await world.rows.query<{ id: string }>(
    `with key as (
       insert into billing_keys (customer_uid, member_id, status, created_at, updated_at)
       values ('lost-key', 'member-1', 'pending', now(), now()))
     insert into billing_key_issuances (customer_uid, form_nonce, replaces_key, status, card_last_four,
       terms_version, privacy_version, consented_at, started_at)
     values ('lost-key', 'nonce', false, 'unknown', '9012', '1', '1', now(), now() - interval '10 minutes') returning id`,
  );
  const by = userInfo().username;
  for (const [kind, id = '', outcome, about] of [
    ['charge', 'lostcharge', 'not_executed', { merchant_uid: 'lost' }],
    ['refund', refund?.id, 'not_executed', { svc_uid: payment.svc_uid }],
    ['issuance', issuance?.id, 'not_issued', { customer_uid: 'lost-key' }],
  ] as const) {
    const { exitCode, errors } = await run('settle', kind, id, outcome, '--note', 'not there');
    const decision = { event: 'decision', decided: kind, id, by, ...about };
    expect([exitCode, JSON.parse(errors)]).toMatchObject([0, decision]);
  }
  for (const table of ['charges', 'refunds', 'billing_key_issuances'])
    expect(await world.rows.query(`select settled_by, settle_note from ${table}`)).toEqual([
      { settled_by: by, settle_note: 'not there' },
    ]);
  expect(await world.rows.query('select status from billing_keys')).toEqual([{ status: 'failed' }]);

  await world.rows.query(`update charges set status = 'unknown'`);
  await away();
  const failed = await run('settle', 'charge', 'lostcharge', 'paid', '--note', 'there');
  expect([failed.exitCode, failed.output]).toEqual([3, '']);
  expect(failed.errors).toContain('The payment service');
});

test('restored is refused while a server is connected, moves all numbers on where it is told to, and changes no row', async () => {
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
