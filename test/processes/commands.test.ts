// A command as a real process beside a merchant: it stops at a signal, and what it has not done is done by the next run.
// test/flows/cli/commands.test.ts has what the commands do.

import { runCommand } from '../support/beside-world';
import { eventually } from '../support/eventually';
import { orderStatus, paySilently, registerOrders } from '../support/orders';
import { LIST_PAYMENTS } from '../support/sandbox-controls';
import { useWorld } from '../support/use-world';

const world = useWorld();

test('reconcile ends with 130 if it is interrupted, and can be run again', async () => {
  await registerOrders(world, ['slow']);
  await paySilently(world, 'slow');
  await world.sandbox.fault({ endpoint: LIST_PAYMENTS, kind: 'delay', delay_ms: 1500, times: 100 });
  const interrupted = runCommand(world, 'reconcile', ['--json']);
  await eventually(async () => (await world.sandbox.requests(LIST_PAYMENTS)) > 0);
  interrupted.child.kill('SIGINT');
  expect((await interrupted.ended).exitCode).toBe(130);
  await world.sandbox.clearFaults();
  const again = await runCommand(world, 'reconcile').ended;
  expect([again.exitCode, again.output, again.errors]).toEqual([
    0,
    expect.stringMatching(/paid +1 /),
    expect.stringContaining('schedules 100 %'),
  ]);
  expect(await orderStatus(world, 'slow')).toBe('paid');
});
