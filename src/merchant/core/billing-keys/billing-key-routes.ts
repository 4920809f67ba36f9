// GET /api/billing-keys (§4.7): billing keys as the service knows them and as we do.

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
    summary: 'Billing keys from both sides (§4.7)',
    description:
      'Each with the record of the service, whose times are UNIX seconds (§2.3), and as `stored` what we hold, whose times are ISO 8601. There are no pages: up to a hundred are asked for by name.',
    query: billingKeysQuery,
    answers: {
      200: {
        description: 'Those that either side knows.',
        schema: billingKeyListSchema,
        example: billingKeyListExample,
      },
    },
    errors: [billingKeyErrors.billing_key_not_found],
    asksService: true,
    async handle(context, { query }) {
      const keys = await findKeysOfBothSides(context, [...new Set(query['customer_uid[]'])]);
      if (keys.length === 0) throw new HttpError(billingKeyErrors.billing_key_not_found);
      return { body: keys };
    },
  }),
];

/** In the order asked for, without those that neither side knows. */
async function findKeysOfBothSides(context: Context, customerUids: readonly string[]) {
  const [records, stored] = await Promise.all([
    context.service.findBillingKeys(customerUids),
    Promise.all(customerUids.map((customerUid) => findKey(context, customerUid))),
  ]);
  return customerUids.flatMap((customerUid, index) => {
    const record = records.find((each) => each.customerUid === customerUid);
    const ours = stored[index] ?? null;
    return record || ours ? [billingKeyJson(customerUid, record, ours)] : [];
  });
}
