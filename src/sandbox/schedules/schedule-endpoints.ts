// Planning payments with a billing key, and revoking them (§4.9, field notes).
import { z } from 'zod';
import type { BillingKeyStore } from '../billing-keys/billing-key-store';
import { cardInputSchema } from '../billing-keys/card';
import { issueBillingKey } from '../billing-keys/issue-billing-key';
import { Refusal, failure, success } from '../http/answer';
import type { Endpoint } from '../http/endpoint';
import { id, listOf, optional, parseFields, text, wholeNumber } from '../http/fields';
import { orderOf } from '../payments/key-payment-endpoints';
import { orderFields } from '../payments/order-fields';
import type { ScheduleRunner } from './run-schedules';
import { scheduleRecord } from './schedule';
import type { ScheduleStore } from './schedule-store';

const planSchema = z.object({
  customer_uid: id(80),
  schedules: z
    .array(z.object({ ...orderFields, name: optional(text(40)), schedule_at: wholeNumber(0) }))
    .min(1)
    .max(100),
});
const revokeSchema = z.object({ customer_uid: id(80), merchant_uid: optional(listOf(z.string(), 100)) });

type Dependencies = {
  schedules: ScheduleStore;
  billingKeys: BillingKeyStore;
  runner: ScheduleRunner;
  now: () => number;
};

export function scheduleEndpoints({ schedules, billingKeys, runner, now }: Dependencies): Endpoint[] {
  const isPlanned = (merchantUid: string) => schedules.ofOrder(merchantUid)?.status === 'scheduled';

  /** Why this customer_uid cannot be charged later; null when it has a key, or has one now by the card fields. */
  function refusalOfKey(customerUid: string, body: Record<string, unknown>): string | null {
    if (billingKeys.find(customerUid)) return null;
    if (body.card_number === undefined) return 'customer_uid: no billing key, and no card to issue one';
    return issueBillingKey(billingKeys, parseFields(cardInputSchema, body), customerUid, now()).refusal;
  }

  return [
    {
      method: 'POST',
      path: '/subscribe/payments/schedule',
      access: 'legacy',
      // All or none: nothing is planned where one entry cannot be.
      handle: ({ body }) => {
        const { customer_uid: customerUid, schedules: asked } = parseFields(planSchema, body);
        const past = asked.findIndex(({ schedule_at }) => schedule_at <= now());
        if (past >= 0) throw new Refusal(400, `schedules[${past}][schedule_at]: is not in the future`);
        const orders = asked.map(({ merchant_uid }) => merchant_uid);
        const taken = orders.find((each, index) => isPlanned(each) || orders.indexOf(each) !== index);
        if (taken !== undefined) return failure(`merchant_uid: ${taken} is already scheduled`);
        const refusal = refusalOfKey(customerUid, body);
        if (refusal !== null) return failure(refusal);
        const planned = asked.map((each) =>
          schedules.add({
            ...orderOf(each),
            customerUid,
            scheduleAt: each.schedule_at,
            executedAt: 0,
            revokedAt: 0,
            status: 'scheduled',
            svcUid: null,
          }),
        );
        planned.forEach(runner.plan);
        return success(planned.map((each) => scheduleRecord(each, undefined)));
      },
    },
    {
      method: 'POST',
      path: '/subscribe/payments/unschedule',
      access: 'legacy',
      // Without merchant_uid all of the key. What was executed or revoked before is left as it is.
      handle: ({ body }) => {
        const { customer_uid: customerUid, merchant_uid } = parseFields(revokeSchema, body);
        const revoked = schedules
          .find({ from: 0, to: Infinity, status: 'scheduled', customerUid })
          .filter(({ merchantUid }) => merchant_uid === undefined || merchant_uid.includes(merchantUid));
        if (revoked.length === 0) return failure('customer_uid, merchant_uid: nothing is scheduled');
        for (const each of revoked) schedules.change(each, { status: 'revoked', revokedAt: now() });
        return success(revoked.map((each) => scheduleRecord(each, undefined)));
      },
    },
  ];
}
