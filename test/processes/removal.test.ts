// A real merchant process is killed in the middle of a card's removal. The next one finishes it, and what was scheduled
// with the card is not charged.

import { API_KEY } from '../support/config';
import { eventually } from '../support/eventually';
import { createMemberBrowser } from '../support/member-browser';
import { FILL_IN_MS } from '../support/merchant-process';
import { useSurroundings } from '../support/use-surroundings';

const LIST = 'GET /subscribe/payments/schedule/customers/:customer_uid';
const HOUR = 3600;

const around = useSurroundings();

jest.setTimeout(60_000);

test('a removal in whose middle the process is killed is finished by the next one, and nothing is charged (M8)', async () => {
  const doomed = await around.startMerchant();
  const url = `http://127.0.0.1:${doomed.port}`;
  const member = createMemberBrowser({ url, fillInMs: FILL_IN_MS });
  const { customerUid } = await member.register();
  const now = Math.floor(Date.now() / 1000);
  const scheduled = await fetch(`${url}/api/schedules`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      customer_uid: customerUid,
      merchant_uid: 'killed-removal',
      schedule_at: now + HOUR,
      amount: 1000,
      name: 'Tea of the month',
    }),
  });
  expect(scheduled.status).toBe(201);

  const form = await member.openRemoval(customerUid);
  await around.sandbox.fault({ endpoint: LIST, kind: 'delay', delay_ms: 5000 });
  const unanswered = member.remove(form).catch(() => null);
  await eventually(async () => (await around.sandbox.requests(LIST)) === 1);
  await doomed.kill('SIGKILL');
  expect(await unanswered).toBeNull();
  expect(await statusOf(customerUid)).toBe('removing');
  expect(await chargeStatus()).toBe('scheduled');

  await around.startMerchant();
  // What lay in the dead process' hands is due after a minute; a minute is not waited for here.
  await around.rows.query(`update billing_keys set updated_at = now() - interval '61 seconds'`);
  await around.rows.query(`select graphile_worker.add_job('recover-removals')`);
  await eventually(async () => (await statusOf(customerUid)) === 'removed');
  expect(await chargeStatus()).toBe('revoked');

  await around.sandbox.advance(2 * HOUR);
  const notifications: unknown = await around.sandbox.call('GET', '/notifications?settled=1');
  expect(JSON.stringify(notifications)).not.toContain('killed-removal');
  expect(await around.rows.query(`select from payments where merchant_uid = 'killed-removal'`)).toEqual([]);
});

async function statusOf(customerUid: string): Promise<unknown> {
  const [row] = await around.rows.query('select status from billing_keys where customer_uid = $1', [
    customerUid,
  ]);
  return row?.['status'];
}

async function chargeStatus(): Promise<unknown> {
  const [row] = await around.rows.query(`select status from charges where merchant_uid = 'killed-removal'`);
  return row?.['status'];
}
