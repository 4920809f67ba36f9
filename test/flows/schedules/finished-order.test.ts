// An order with a waiting schedule is paid in another way, refunded in full or closed. The schedule is revoked at once, and
// nothing is taken at its time.

import { callService, codeOf } from '../../support/calls';
import { registerKey } from '../../support/keys';
import { charge, chargesOf, getOrder, newUid, paySilently, registerOrder } from '../../support/orders';
import { DAY, HOUR, SCHEDULE, UNSCHEDULE } from '../../support/subscriptions';
import { useScheduledOrders } from './finished-order-setup';

const READ_SCHEDULE = 'GET /subscribe/payments/schedule/:merchant_uid';

const {
  world,
  key,
  inSeconds,
  scheduled,
  pay,
  refund,
  close,
  statusAtService,
  chargeStatuses,
  eventsOf,
  casesOf,
  untilAfter,
  fails,
  expectRevokedOncePaid,
} = useScheduledOrders();

describe('an order that is paid in another way', () => {
  test.each<[string, (merchantUid: string) => Promise<unknown>]>([
    ['a notification', pay],
    [
      'a deposit',
      async (merchantUid) => {
        const account = { merchant_uid: merchantUid, amount: 1000, outcome: 'virtual_account' };
        await world.sandbox.control((await world.sandbox.pay(account)).svc_uid, 'deposit');
      },
    ],
    [
      'the newer generation',
      async (merchantUid) => {
        const { svc_uid } = await paySilently(world, merchantUid);
        return world.notify({ tx_id: svc_uid, payment_id: merchantUid, status: 'PAID' });
      },
    ],
  ])('O1 has its schedule revoked at once, and takes nothing at its time: paid by %s', async (_, payNow) => {
    await expectRevokedOncePaid(payNow);
  });

  test('also where the process dies before the revocation is sent', async () => {
    const merchantUid = await scheduled();
    await pay(merchantUid);
    await world.forgetJobs();
    expect(await statusAtService(merchantUid)).toBe('scheduled');
    await world.runEveryMinute();
    expect(await statusAtService(merchantUid)).toBe('revoked');
  });

  test('also where it is paid while the schedule is being made', async () => {
    const merchantUid = newUid();
    await registerOrder(world, merchantUid);
    await world.sandbox.fault({ endpoint: SCHEDULE, kind: 'lost_response' });
    const entry = { merchant_uid: merchantUid, schedule_at: inSeconds(HOUR), amount: 1000, name: 'Tea' };
    await world.api('POST', '/api/schedules', { customer_uid: key.customerUid, ...entry });
    await pay(merchantUid);
    await world.advance(0);
    expect(await chargeStatuses(merchantUid)).toEqual(['revoked']);
  });

  test('a payment that was scheduled is not revoked by itself', async () => {
    const merchantUid = await scheduled();
    const calls = await world.sandbox.requestsDuring(UNSCHEDULE, () => untilAfter(HOUR));
    expect(calls).toBe(0);
    expect(await chargeStatuses(merchantUid)).toEqual(['paid']);
  });

  test('a schedule that was forgotten by an older version is revoked before its time', async () => {
    const merchantUid = await scheduled();
    await world.rows.query("update orders set status = 'paid' where merchant_uid = $1", [merchantUid]);
    await world.runEveryMinute(HOUR - 300);
    expect(await chargeStatuses(merchantUid)).toEqual(['revoked']);
  });
});

describe('an order that is finished before the date', () => {
  test('O2 refunded in full: nothing is taken at the date, and the order is told as paid once', async () => {
    const merchantUid = await scheduled();
    await refund(await pay(merchantUid));
    await world.advance(0);
    expect(await chargeStatuses(merchantUid)).toEqual(['revoked']);
    await untilAfter(HOUR);
    expect(await eventsOf(merchantUid)).toEqual(['order.paid', 'order.cancelled']);
  });

  test('O2 closed: closing revokes the schedule, and nothing is taken at the date', async () => {
    const merchantUid = await scheduled();
    const { status, body } = await close(merchantUid);
    expect([status, body.status]).toEqual([200, 'closed']);
    await world.advance(0);
    expect(await statusAtService(merchantUid)).toBe('revoked');
    await untilAfter(HOUR);
    expect(await getOrder(world, merchantUid)).toMatchObject({ status: 'closed', payments: [] });
    expect(await eventsOf(merchantUid)).toEqual(['order.closed']);
  });

  test('not closed while the payment of a schedule may be under way: its time has come', async () => {
    const merchantUid = await scheduled();
    await world.withoutNotifications(() => world.sandbox.advance(0));
    world.clock.advance(HOUR);
    expect(await codeOf(close(merchantUid))).toEqual([409, 'order_not_closable']);
  });
});

describe('a schedule of a finished order that the service does not revoke', () => {
  test('O3 a revocation that fails is tried again, is a case for a person and an event, until it is done', async () => {
    await fails(UNSCHEDULE);
    const merchantUid = await scheduled(DAY);
    await pay(merchantUid);
    await world.advance(0);
    expect(await casesOf(merchantUid)).toMatchObject([
      { status: 'scheduled', revocation: { reason: expect.any(String) } },
    ]);
    expect(await eventsOf(merchantUid)).toEqual(['order.paid', 'schedule.not_revoked']);

    const calls = await world.sandbox.requestsDuring(UNSCHEDULE, async () => {
      for (let minutes = 0; minutes < 10; minutes += 1) await world.runEveryMinute(60);
    });
    // After 1, 2, 4 and 8 minutes.
    expect(calls).toBe(4);
    expect(await eventsOf(merchantUid)).toEqual(['order.paid', 'schedule.not_revoked']);

    await world.sandbox.clearFaults();
    await world.runEveryMinute(HOUR);
    expect(await chargeStatuses(merchantUid)).toEqual(['revoked']);
    expect(await casesOf(merchantUid)).toEqual([]);
  });

  test('is revoked once where only the answer is lost, and is no case', async () => {
    const merchantUid = await scheduled();
    await world.sandbox.fault({ endpoint: UNSCHEDULE, kind: 'lost_response' });
    const calls = await world.sandbox.requestsDuring(UNSCHEDULE, async () => {
      await pay(merchantUid);
      await world.advance(0);
    });
    expect(calls).toBe(1);
    expect(await chargeStatuses(merchantUid)).toEqual(['revoked']);
    expect(await eventsOf(merchantUid)).toEqual(['order.paid']);
  });

  test.each<[string, string, (merchantUid: string) => Promise<unknown>, string[]]>([
    ['paid', 'duplicate_payment', pay, ['order.paid', 'schedule.not_revoked']],
    [
      'refunded',
      'paid_after_close',
      async (merchantUid) => refund(await pay(merchantUid)),
      ['order.paid', 'order.cancelled', 'schedule.not_revoked'],
    ],
    ['closed', 'paid_after_close', close, ['order.closed', 'schedule.not_revoked', 'order.paid']],
  ])(
    'O3 what is taken all the same for an order that is %s is %s, with a refund at hand',
    async (_, kind, finish, told) => {
      await fails(UNSCHEDULE);
      await fails(READ_SCHEDULE);
      const merchantUid = await scheduled();
      await finish(merchantUid);
      await world.advance(0);
      await untilAfter(HOUR);
      expect(await eventsOf(merchantUid)).toEqual(told);
      const found = (await world.api('GET', `/api/discrepancies?merchant_uid=${merchantUid}`)).body.list;
      expect(found).toMatchObject([{ kind }]);
      await world.sandbox.clearFaults();
      const refunded = await world.api('POST', `/api/discrepancies/${found[0].id}/refund`, {
        reason: 'taken twice',
      });
      expect(refunded.status).toBe(200);
      expect(
        (await eventsOf(merchantUid)).filter((type) => type === 'order.paid').length,
      ).toBeLessThanOrEqual(1);
      await world.runEveryMinute(HOUR);
      expect(await casesOf(merchantUid)).toEqual([]);
    },
  );
});

describe('a schedule that somebody has changed in the service’s console', () => {
  const revokeThere = (merchantUid: string) =>
    callService(world, '/subscribe/payments/unschedule', { merchant_uid: [merchantUid] });
  const scheduleThere = (merchantUid: string, seconds: number, customerUid = key.customerUid) =>
    callService(world, '/subscribe/payments/schedule', {
      customer_uid: customerUid,
      schedules: [{ merchant_uid: merchantUid, schedule_at: inSeconds(seconds), amount: 1000, name: 'Tea' }],
    });

  test('to an earlier time: its payment closes the charge', async () => {
    const merchantUid = await scheduled(DAY);
    await revokeThere(merchantUid);
    await scheduleThere(merchantUid, HOUR);
    await untilAfter(HOUR);
    const [{ svc_uid }] = (await getOrder(world, merchantUid)).payments;
    expect(await chargesOf(world, merchantUid)).toMatchObject([{ status: 'paid', svc_uid }]);
    expect(await casesOf(merchantUid)).toEqual([]);
  });

  test('to a later time: the charge needs a person, until its payment closes it', async () => {
    const merchantUid = await scheduled();
    await revokeThere(merchantUid);
    await scheduleThere(merchantUid, DAY);
    await world.advance(HOUR);
    for (let polls = 0; polls < 4; polls += 1) await world.runEveryMinute(600);
    expect(await chargeStatuses(merchantUid)).toEqual(['needs_review']);
    expect(await casesOf(merchantUid)).toHaveLength(1);
    await untilAfter(DAY);
    const [{ svc_uid }] = (await getOrder(world, merchantUid)).payments;
    expect(await chargesOf(world, merchantUid)).toMatchObject([{ status: 'paid', svc_uid }]);
    expect(await casesOf(merchantUid)).toEqual([]);
  });

  test('to another card: it is revoked too, once the order is paid', async () => {
    const other = await registerKey(world);
    const merchantUid = await scheduled();
    await revokeThere(merchantUid);
    await scheduleThere(merchantUid, HOUR, other.customerUid);
    await pay(merchantUid);
    await world.advance(0);
    expect(await statusAtService(merchantUid)).toBe('revoked');
    expect(await chargeStatuses(merchantUid)).toEqual(['revoked']);
  });

  test('revoked there: the charge ends with the payment of the order, and can be made before by another way', async () => {
    const merchantUid = await scheduled();
    await revokeThere(merchantUid);
    await pay(merchantUid);
    await world.advance(0);
    expect(await chargeStatuses(merchantUid)).toEqual(['revoked']);
    expect(await codeOf(charge(world, merchantUid, key.customerUid))).toEqual([409, 'order_not_payable']);
  });
});
