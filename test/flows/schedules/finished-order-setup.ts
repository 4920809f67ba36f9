// Orders with a waiting schedule, and what is told and stored about them.

import { callService } from '../../support/calls';
import {
  chargesOf,
  discrepanciesOf,
  getOrder,
  newUid,
  paySilently,
  sendNotification,
} from '../../support/orders';
import { HOUR, UNSCHEDULE, useOneKey } from '../../support/subscriptions';
import { useWorld } from '../../support/use-world';

/** A world with one billing key, and helpers for orders whose payment is scheduled. */
export function useScheduledOrders() {
  const world = useWorld();
  const key = useOneKey(world);
  afterEach(async () => {
    await world.sandbox.waitForNotifications();
    await world.sandbox.clearFaults();
  });

  const inSeconds = (seconds: number) => Math.floor(world.clock.nowMs() / 1000) + seconds;

  /** A new order whose payment is scheduled. */
  async function scheduled(seconds = HOUR): Promise<string> {
    const merchantUid = newUid();
    const entry = { merchant_uid: merchantUid, schedule_at: inSeconds(seconds), amount: 1000, name: 'Tea' };
    const { status } = await world.api('POST', '/api/schedules', { customer_uid: key.customerUid, ...entry });
    expect(status).toBe(201);
    return merchantUid;
  }

  /** Pays it in the window; its notification arrives. */
  async function pay(merchantUid: string): Promise<string> {
    const { svc_uid: svcUid } = await paySilently(world, merchantUid);
    expect((await sendNotification(world, svcUid, merchantUid)).status).toBe(200);
    return svcUid;
  }

  const refund = async (svcUid: string) =>
    expect((await world.api('POST', `/api/payments/${svcUid}/cancel`, { reason: 'returned' })).status).toBe(
      200,
    );
  const close = (merchantUid: string) => world.api('POST', `/api/orders/${merchantUid}/close`);

  const statusAtService = async (merchantUid: string) =>
    (await callService(world, `/subscribe/payments/schedule/${merchantUid}`)).schedule_status as string;
  const chargeStatuses = async (merchantUid: string) =>
    (await chargesOf(world, merchantUid)).map(({ status }) => status);
  const eventsOf = async (merchantUid: string) => {
    const { body } = await world.api('GET', `/api/events?merchant_uid=${merchantUid}`);
    return body.list.map(({ type }: { type: string }) => type) as string[];
  };
  const planned = async (merchantUid: string) =>
    (await world.api('GET', `/api/schedules/planned?merchant_uid=${merchantUid}`)).body.list as unknown[];
  /** Charges that need a person, of one order. */
  const casesOf = async (merchantUid: string) =>
    (await world.api('GET', `/api/charges?needs_person=true&merchant_uid=${merchantUid}`)).body.list as {
      revocation: unknown;
    }[];
  const kindsOf = async (merchantUid: string) =>
    (await discrepanciesOf(world, merchantUid)).map(({ kind }) => kind);

  /** Lets the time of the schedule come, with all that follows. */
  async function untilAfter(seconds: number): Promise<void> {
    await world.advance(seconds);
    await world.sandbox.waitForNotifications();
    await world.runEveryMinute(60);
  }

  /** Every call of this endpoint fails until the faults are cleared. */
  const fails = (endpoint: string) =>
    world.sandbox.fault({ endpoint, kind: 'status', status: 500, times: 1000 });

  /** It is paid by this: the schedule is revoked at once, and nothing is taken at its time. */
  async function expectRevokedOncePaid(payNow: (merchantUid: string) => Promise<unknown>): Promise<void> {
    const merchantUid = await scheduled();
    expect(await planned(merchantUid)).toHaveLength(1);
    const calls = await world.sandbox.requestsDuring(UNSCHEDULE, async () => {
      await payNow(merchantUid);
      expect((await getOrder(world, merchantUid)).status).toBe('paid');
      expect(await planned(merchantUid)).toEqual([]);
      await world.advance(0);
    });
    expect(calls).toBe(1);
    expect(await statusAtService(merchantUid)).toBe('revoked');
    expect(await chargeStatuses(merchantUid)).toEqual(['revoked']);
    await untilAfter(HOUR);
    expect((await getOrder(world, merchantUid)).payments).toHaveLength(1);
    const told = (await eventsOf(merchantUid)).filter((type) => type !== 'order.awaiting_deposit');
    expect(told).toEqual(['order.paid']);
    expect(await kindsOf(merchantUid)).toEqual([]);
  }

  return {
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
  };
}
