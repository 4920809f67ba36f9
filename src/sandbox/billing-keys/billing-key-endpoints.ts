// Billing keys: issue (§4.2), several records (§4.7), one record and deletion (§4.9, field notes).
import { z } from 'zod';
import { Refusal, failure, success } from '../http/answer';
import type { Endpoint } from '../http/endpoint';
import { id, listOf, parseFields } from '../http/fields';
import { billingKeyRecord, type BillingKey } from './billing-key';
import type { BillingKeyStore } from './billing-key-store';
import { cardInputSchema } from './card';
import { customerSchema, issueBillingKey } from './issue-billing-key';

const pathSchema = z.object({ customer_uid: id(80) });
const severalSchema = z.object({ customer_uid: listOf(z.string(), 1000) });
const issueSchema = cardInputSchema.extend(customerSchema.shape);

type Dependencies = {
  store: BillingKeyStore;
  now: () => number;
  slowCardMs: number;
};

export function billingKeyEndpoints({ store, now, slowCardMs }: Dependencies): Endpoint[] {
  return [
    {
      method: 'POST',
      path: '/subscribe/customers/:customer_uid',
      access: 'legacy',
      handle: ({ params, body }) => {
        const { customer_uid } = parseFields(pathSchema, params);
        const request = parseFields(issueSchema, body);
        const { outcome, refusal } = issueBillingKey(store, request, customer_uid, now());
        if (refusal !== null) return failure(refusal);
        return {
          ...success(billingKeyRecord(getKey(store, customer_uid))),
          lost: outcome === 'lost_response',
          ...(outcome === 'slow' && { delayMs: slowCardMs }),
        };
      },
    },
    {
      method: 'GET',
      path: '/subscribe/customers',
      access: 'legacy',
      // 404 where none is known (§4.7), 207 where some are missing (field notes).
      handle: ({ query }) => {
        const { customer_uid } = parseFields(severalSchema, query);
        const found = [...new Set(customer_uid)].flatMap((uid) => store.find(uid) ?? []);
        if (found.length === 0) throw new Refusal(404, 'customer_uid: no billing key');
        return success(found.map(billingKeyRecord), found.length < new Set(customer_uid).size ? 207 : 200);
      },
    },
    {
      method: 'GET',
      path: '/subscribe/customers/:customer_uid',
      access: 'legacy',
      handle: ({ params }) => success(billingKeyRecord(getKey(store, params.customer_uid))),
    },
    {
      method: 'DELETE',
      path: '/subscribe/customers/:customer_uid',
      access: 'legacy',
      // Schedules of the key stay, and fail at their time: revoking them first is the merchant's part (field notes).
      handle: ({ params }) => {
        const key = getKey(store, params.customer_uid);
        store.remove(key.customerUid);
        return success(billingKeyRecord(key));
      },
    },
  ];
}

/** The key, or the 404 of §4.6 and §4.7. */
export function getKey(store: BillingKeyStore, customerUid: string | undefined): BillingKey {
  const key = customerUid === undefined ? undefined : store.find(customerUid);
  if (!key) throw new Refusal(404, 'customer_uid: no billing key');
  return key;
}
