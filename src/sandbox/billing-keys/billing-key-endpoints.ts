// Billing keys: issue one (§4.2), show several (§4.7), show one and delete one (§4.9).

import { z } from 'zod';
import { failure, success } from '../http/answer';
import type { Endpoint } from '../http/endpoint';
import { id, listOf, parseFields } from '../http/fields';
import type { SandboxClock } from '../state/clock';
import { billingKeyRecord } from './billing-key';
import { getBillingKey, unknownKey, type BillingKeyStore } from './billing-key-store';
import { cardInputSchema } from './card';
import { customerSchema, issueBillingKey } from './issue-billing-key';

const pathSchema = z.object({ customer_uid: id(80) });
const severalSchema = z.object({ customer_uid: listOf(z.string(), 1000) });
const issueSchema = cardInputSchema.extend(customerSchema.shape);

export function billingKeyEndpoints(
  billingKeys: BillingKeyStore,
  clock: SandboxClock,
  slowCardMs: number,
): Endpoint[] {
  return [
    {
      method: 'POST',
      path: '/subscribe/customers/:customer_uid',
      access: 'legacy',
      handle: ({ params, body }) => {
        const { customer_uid } = parseFields(pathSchema, params);
        const request = parseFields(issueSchema, body);
        const { outcome, refusal } = issueBillingKey(billingKeys, request, customer_uid, clock.now());
        if (refusal !== null) return failure(refusal);
        return {
          ...success(billingKeyRecord(getBillingKey(billingKeys, customer_uid))),
          lost: outcome === 'lost_response',
          ...(outcome === 'slow' && { delayMs: slowCardMs }),
        };
      },
    },
    {
      method: 'GET',
      path: '/subscribe/customers',
      access: 'legacy',
      // 404 if no key is known, 207 if some are missing (§4.7).
      handle: ({ query }) => {
        const { customer_uid } = parseFields(severalSchema, query);
        const requested = [...new Set(customer_uid)];
        const found = requested.flatMap((uid) => billingKeys.find(uid) ?? []);
        if (found.length === 0) throw unknownKey(requested.join(', '));
        return success(found.map(billingKeyRecord), found.length < requested.length ? 207 : 200);
      },
    },
    {
      method: 'GET',
      path: '/subscribe/customers/:customer_uid',
      access: 'legacy',
      handle: ({ params }) => success(billingKeyRecord(getBillingKey(billingKeys, params.customer_uid))),
    },
    {
      method: 'DELETE',
      path: '/subscribe/customers/:customer_uid',
      access: 'legacy',
      // Schedules of the key remain and fail at their time: the merchant has to revoke them first (§4.9).
      handle: ({ params }) => {
        const key = getBillingKey(billingKeys, params.customer_uid);
        billingKeys.remove(key.customerUid);
        return success(billingKeyRecord(key));
      },
    },
  ];
}
