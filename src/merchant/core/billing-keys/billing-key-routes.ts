// Routes of billing keys, from the service and from our database (§4.7).

import type { Context } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import {
  billingKeyErrors,
  billingKeyJson,
  billingKeyListExample,
  billingKeyListSchema,
  billingKeysQuery,
} from './billing-key-schema';
import { findKey } from './billing-key-store';

export const billingKeyRoutes: ApiRoute[] = [
  apiRoute({
    method: 'get',
    path: '/api/billing-keys',
    scope: 'read',
    summary: 'Billing keys from both sides (§4.7)',
    description:
      'Each key has the record of the service, with times in UNIX seconds (§2.3), and in `stored` our row, with times in ISO 8601. Up to a hundred keys are requested by name; there are no pages.',
    query: billingKeysQuery,
    answers: {
      200: {
        description: 'The keys that the service or we know.',
        schema: billingKeyListSchema,
        example: billingKeyListExample,
      },
    },
    errors: [billingKeyErrors.billing_key_not_found],
    asksService: true,
    async handle(context, { query }) {
      const keys = await findKeysOfBothSides(context, [...new Set(query['customer_uid[]'])]);
      if (keys.length === 0)
        throw new HttpError(
          billingKeyErrors.billing_key_not_found,
          'The payment service shows no such billing key, and none is stored here.',
        );
      return { body: keys };
    },
  }),
];

/** In the order of the request, without keys that neither side knows. A record that cannot be read may be of any of them. */
async function findKeysOfBothSides(context: Context, customerUids: readonly string[]) {
  const [{ list, unreadable }, stored] = await Promise.all([
    context.service.findBillingKeys(customerUids),
    Promise.all(customerUids.map((customerUid) => findKey(context, customerUid))),
  ]);
  return customerUids.flatMap((customerUid, index) => {
    const record = list.find((each) => each.customerUid === customerUid);
    const ours = stored[index] ?? null;
    const odd = record ? undefined : unreadable[0];
    return record || ours || odd ? [billingKeyJson(customerUid, record, ours, odd)] : [];
  });
}
