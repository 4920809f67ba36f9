// An erasure waits while a payment is pending or the service is unreachable. It reports the reason, and is completed without another
// request, possibly by another process.

import { eraseMember } from '../../../src/merchant/options/erasure/erase-member';
import type { FeatureRows } from '../../../src/merchant/platform/context';
import { CANCEL_PAYMENT } from '../../support/discrepancies';
import {
  DELETE_KEY,
  erase,
  fieldsOf,
  found,
  MINUTE,
  newMember,
  paidOrder,
  type Member,
} from '../../support/erasure';
import { keyOf } from '../../support/keys';
import { charge, discrepanciesOf, getOrder, newUid, orderStatus, registerOrder } from '../../support/orders';
import { DISK_FULL, refuseRows } from '../../support/refused-rows';
import { CHARGE_KEY } from '../../support/sandbox-controls';
import { DAY, pass as passOnce } from '../../support/subscriptions';
import { useWorld } from '../../support/use-world';

const world = useWorld();
beforeEach(() => world.sandbox.clearFaults());

/** With the next try: an erasure may look just before what it waits for is done. */
async function pass(seconds: number): Promise<void> {
  await passOnce(world, seconds);
  await world.runEveryMinute(5 * MINUTE);
}

const NOT_NOW = { code: 1, message: 'not now', response: null };

test('M26 an erasure waits for a charge with an unknown outcome, and the job finishes it', async () => {
  const member = await newMember(world);
  const merchantUid = await registerOrder(world, newUid(), fieldsOf(member));
  await world.sandbox.fault({ endpoint: CHARGE_KEY, kind: 'lost_response' });
  await world.withoutNotifications(() => charge(world, merchantUid, member.customerUid));
  const first = await erase(world, member.memberId);
  const waiting = [{ kind: 'order', id: merchantUid, reason: 'charge_pending' }];
  expect([first.status, first.body]).toMatchObject([202, { status: 'in_progress', waiting }]);
  expect(await found(world, member)).toContain(member.buyer.name);
  world.log.clear();
  await pass(2 * MINUTE);
  expect(await orderStatus(world, merchantUid)).toBe('paid');
  expect(await found(world, member)).toEqual([]);
  expect(world.log.events('erasure_finished')).toHaveLength(1);
  expect(world.log.text()).not.toContain(member.memberId);
  expect((await erase(world, member.memberId)).status).toBe(200);
});

test('a charge that needs a person delays only the erasure of its order', async () => {
  const member = await newMember(world);
  const { merchantUid } = await paidOrder(world, member);
  const stuck = await registerOrder(world, newUid(), fieldsOf(member));
  await world.rows.query(
    `insert into charges (id, merchant_uid, kind, customer_uid, status, started_at)
     values ($1, $2, 'again', $3, 'needs_review', now())`,
    [`stuckcharge-${stuck}`, stuck, member.customerUid],
  );
  const waiting = [{ kind: 'order', id: stuck, reason: 'charge_needs_review' }];
  expect((await erase(world, member.memberId)).body.waiting).toEqual(waiting);
  expect((await getOrder(world, merchantUid)).buyer).toBeNull();
  expect((await getOrder(world, stuck)).buyer).toMatchObject({ name: member.buyer.name });
  await pass(DAY);
  expect(world.log.events('erasure_unfinished').at(-1)).toMatchObject({ level: 40 });
  const settle = { outcome: 'not_executed', note: 'not there' };
  expect((await world.api('POST', `/api/charges/stuckcharge-${stuck}/settle`, settle)).status).toBe(200);
  expect((await erase(world, member.memberId)).status).toBe(200);
  expect(await found(world, member)).toEqual([]);
});

test.each([
  ['does not delete now', 'removal_pending', { kind: 'lost_response' }],
  ['refuses to delete', 'removal_refused', { kind: 'status', status: 200, body: NOT_NOW }],
])(
  'M26 an erasure waits for a card that the service %s, and the job deletes it',
  async (_, reason, fault) => {
    const member = await newMember(world);
    await world.sandbox.fault({ endpoint: DELETE_KEY, ...fault });
    const first = await erase(world, member.memberId);
    const waiting = [{ kind: 'card', id: member.customerUid, reason }];
    expect([first.status, first.body.waiting]).toEqual([202, waiting]);
    expect((await keyOf(world, member.customerUid))?.['status']).not.toBe('removed');
    await pass(2 * MINUTE);
    expect((await keyOf(world, member.customerUid))?.['status']).toBe('removed');
    expect(await found(world, member)).toEqual([]);
    expect((await erase(world, member.memberId)).status).toBe(200);
  },
);

test('an open virtual account does not delay an erasure, and its deposit is recorded', async () => {
  const member = await newMember(world);
  const merchantUid = await registerOrder(world, newUid(), fieldsOf(member));
  const account = { merchant_uid: merchantUid, amount: 1000, outcome: 'virtual_account' };
  const { svc_uid: svcUid } = await world.sandbox.pay(account);
  expect((await erase(world, member.memberId)).status).toBe(200);
  expect(await orderStatus(world, merchantUid)).toBe('closed');
  await world.sandbox.control(svcUid, 'deposit');
  expect(await orderStatus(world, merchantUid)).toBe('paid');
  expect(await discrepanciesOf(world, merchantUid)).toMatchObject([{ kind: 'paid_after_close' }]);
  const [payment] = (await getOrder(world, merchantUid)).payments;
  expect(payment).toMatchObject({ status: 'paid', vbank_num: null, vbank_holder: null });
  expect(payment.vbank_code).not.toBeNull();
  expect(await found(world, member)).toEqual([]);
});

test('an erasure waits for a refund with an unknown outcome, and lists typed texts', async () => {
  const member = await newMember(world);
  const { merchantUid, svcUid } = await paidOrder(world, member);
  // Otherwise the fetch of its notification would see the refund.
  await world.sandbox.waitForNotifications();
  await world.sandbox.fault({ endpoint: CANCEL_PAYMENT, kind: 'lost_response' });
  await world.api('POST', `/api/payments/${svcUid}/cancel`, { reason: 'Mrs Kim was unhappy' });
  const [ids] = await world.rows.query<Record<'refund' | 'charge', string>>(
    `select (select id::text from refunds where svc_uid = $1) as refund,
       (select id from charges where merchant_uid = $2) as charge`,
    [svcUid, merchantUid],
  );
  // The second one is about another subject with the same id.
  await world.rows.query(
    `insert into notes (subject, subject_id, written_by, text, written_at)
     select subject::note_subject, $1, 'kim', 'asked her', now() from unnest(array['charge', 'discrepancy']) subject`,
    [ids?.charge],
  );
  // A refund that an operator has requested, with its reason.
  await world.rows.query(
    `insert into refund_requests (svc_uid, amount, balance, reason, needs_account, requested_by, requested_at)
     values ($1, 600, 1000, 'Mrs Kim was unhappy', false, 'kim', now())`,
    [svcUid],
  );
  const toCheck = [
    { kind: 'charge', id: ids?.charge },
    { kind: 'payment', id: svcUid },
    { kind: 'refund', id: ids?.refund },
  ];
  expect((await erase(world, member.memberId)).body).toMatchObject({
    waiting: [{ kind: 'order', id: merchantUid, reason: 'refund_pending' }],
    to_check: toCheck,
  });
  await world.advance(MINUTE);
  const last = await erase(world, member.memberId);
  expect([last.status, last.body.to_check]).toEqual([200, toCheck]);
  expect(await orderStatus(world, merchantUid)).toBe('cancelled');
});

/** The statement that fails, as if the process were killed before it. */
const STEPS = [
  ['it was asked for', 'billing_keys', `new.status = 'removed'`],
  ['the card is removed', 'orders', `new.status = 'closed'`],
  ['the orders are closed', 'orders', 'new.erased_at is not null'],
  ['the orders are erased', 'erasures', 'new.finished_at is not null'],
] as const;

test('M26 an erasure whose process dies after any step is finished by the next one', async () => {
  const begun: { step: string; member: Member; merchantUid: string }[] = [];
  for (const [step, table, condition] of STEPS) {
    const member = await newMember(world);
    const { merchantUid } = await paidOrder(world, member);
    await registerOrder(world, newUid(), fieldsOf(member));
    const allow = await refuseRows(world, table, condition, DISK_FULL);
    try {
      expect([step, (await erase(world, member.memberId)).status]).toEqual([step, 503]);
    } finally {
      await allow();
    }
    await world.forgetJobs();
    expect([step, await found(world, member)]).toEqual([step, expect.arrayContaining([member.memberId])]);
    begun.push({ step, member, merchantUid });
  }
  await pass(2 * MINUTE);
  await pass(2 * MINUTE);
  for (const { step, member, merchantUid } of begun) {
    expect([step, await found(world, member)]).toEqual([step, []]);
    expect(await orderStatus(world, merchantUid)).toBe('paid');
  }
});

test('an erasure that fails does not stop the others, and is tried again', async () => {
  const [broken, fine] = [await newMember(world), await newMember(world)];
  for (const { memberId, customerUid } of [broken, fine]) {
    await registerOrder(world, newUid(), { member_id: memberId });
    await world.sandbox.fault({ endpoint: DELETE_KEY, kind: 'lost_response' });
    expect((await erase(world, memberId)).status).toBe(202);
    expect(await keyOf(world, customerUid)).toMatchObject({ status: 'removing' });
  }
  const isBrokens = `new.finished_at is not null and old.member_id = '${broken.memberId}'`;
  const allow = await refuseRows(world, 'erasures', isBrokens);
  world.log.clear();
  await pass(2 * MINUTE);
  expect(await found(world, fine)).toEqual([]);
  expect(world.log.events('erasure_unfinished').at(-1)).toMatchObject({ level: 50, err: { code: '22P05' } });
  await allow();
  await pass(10 * MINUTE);
  expect(await found(world, broken)).toEqual([]);
});

test('a card that the member registers during the erasure is kept', async () => {
  const member = await newMember(world);
  const late = `${member.customerUid}-late`;
  // The last moment before the keys are erased.
  const registersNow: FeatureRows = {
    name: 'late',
    memberRows: {
      exist: () => Promise.resolve(false),
      end: () => Promise.resolve([]),
      async erase() {
        await world.rows.query(
          `insert into billing_keys (customer_uid, member_id, status, created_at, updated_at)
           values ($1, $2, 'pending', now(), now())`,
          [late, member.memberId],
        );
        return true;
      },
    },
  };
  const own = world.context();
  const outcome = await eraseMember({ ...own, features: [...own.features, registersNow] }, member.memberId);
  expect(outcome.kind).toBe('erased');
  expect(
    await world.rows.query('select customer_uid, member_id from billing_keys where customer_uid = any ($1)', [
      [member.customerUid, late],
    ]),
  ).toEqual(
    expect.arrayContaining([
      { customer_uid: member.customerUid, member_id: '' },
      { customer_uid: late, member_id: member.memberId },
    ]),
  );
});
