// Creates and revokes schedules: payments with a billing key at a later time (§4.9).

import { z } from 'zod';
import type { BillingKeyStore } from '../billing-keys/billing-key-store';
import { cardInputSchema } from '../billing-keys/card';
import { issueBillingKey } from '../billing-keys/issue-billing-key';
import { failure, HttpError, success } from '../http/answer';
import type { Endpoint } from '../http/endpoint';
import { id, listOf, optional, parseFields, text, wholeNumber } from '../http/fields';
import { orderFields, orderOf } from '../payments/order';
import { MAX_TIME } from '../state/clock';
import { executeWhenDue, type ScheduleStores } from './execute-schedule';
import { scheduleRecord } from './schedule';

const createSchema = z.object({
  customer_uid: id(80),
  schedules: z
    .array(z.object({ ...orderFields, name: optional(text(40)), schedule_at: wholeNumber(0, MAX_TIME) }))
    .min(1)
    .max(100),
});
const revokeSchema = z.object({
  customer_uid: optional(id(80)),
  merchant_uid: optional(listOf(z.string(), 100)),
});

// The live service's own messages.
const NOTHING_SCHEDULED = '취소할 예약결제 기록이 존재하지 않습니다.';
const NO_KEY_NO_CARD = '등록된 고객정보가 없습니다.';

export function scheduleEndpoints(stores: ScheduleStores): Endpoint[] {
  const { schedules, billingKeys, clock } = stores;
  const isScheduled = (merchantUid: string) => schedules.ofOrder(merchantUid)?.status === 'scheduled';

  return [
    {
      method: 'POST',
      path: '/subscribe/payments/schedule',
      access: 'legacy',
      // Our choice: if one entry is refused, no schedule is created.
      handle: ({ body }) => {
        const { customer_uid: customerUid, schedules: entries } = parseFields(createSchema, body);
        const past = entries.findIndex(({ schedule_at }) => schedule_at <= clock.now());
        if (past >= 0) throw new HttpError(400, `schedules[${past}][schedule_at]: is not in the future`);
        const orders = entries.map(({ merchant_uid }) => merchant_uid);
        const taken = orders.find((each, index) => isScheduled(each) || orders.indexOf(each) !== index);
        if (taken !== undefined) return failure(`merchant_uid: ${taken} is already scheduled`);
        const refusal = issueMissingKey(billingKeys, customerUid, body, clock.now());
        if (refusal !== null) return failure(refusal);
        const created = schedules.add(
          entries.map((entry) => ({
            ...orderOf(entry),
            customerUid,
            scheduleAt: entry.schedule_at,
            executedAt: 0,
            revokedAt: 0,
            status: 'scheduled',
            svcUid: null,
          })),
        );
        for (const schedule of created) executeWhenDue(stores, schedule);
        return success(created.map((schedule) => scheduleRecord(schedule, undefined)));
      },
    },
    {
      method: 'POST',
      path: '/subscribe/payments/unschedule',
      access: 'legacy',
      // Without merchant_uid, all schedules of the key are revoked; without customer_uid, those of the named orders with any
      // key. Executed and revoked schedules do not change.
      handle: ({ body }) => {
        const { customer_uid: customerUid, merchant_uid } = parseFields(revokeSchema, body);
        if (customerUid === undefined && merchant_uid === undefined)
          throw new HttpError(400, 'customer_uid, merchant_uid: one is required');
        const revoked = schedules
          .find({ from: 0, to: Infinity, status: 'scheduled', customerUid })
          .filter(({ merchantUid }) => merchant_uid === undefined || merchant_uid.includes(merchantUid));
        if (revoked.length === 0) return failure(NOTHING_SCHEDULED);
        for (const each of revoked) schedules.change(each, { status: 'revoked', revokedAt: clock.now() });
        return success(revoked.map((each) => scheduleRecord(each, undefined)));
      },
    },
  ];
}

/** Issues a key with the card fields if the customer_uid has none (§4.9). Returns the refusal, null if there is a key now. */
function issueMissingKey(
  billingKeys: BillingKeyStore,
  customerUid: string,
  body: Record<string, unknown>,
  now: number,
): string | null {
  if (billingKeys.find(customerUid)) return null;
  if (body.card_number === undefined) return NO_KEY_NO_CARD;
  return issueBillingKey(billingKeys, parseFields(cardInputSchema, body), customerUid, now).refusal;
}
