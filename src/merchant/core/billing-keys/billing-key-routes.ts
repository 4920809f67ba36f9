// Routes of billing keys, from the service and from our database (§4.7), and of issuances, the newest first. A person
// can resolve an issuance.

import { z } from 'zod';
import { IssuanceStatus } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { byId, defineList, listRoute } from '../../platform/http/list';
import { ofBillingKey } from '../../platform/http/query';
import { isRowId, needsPersonField } from '../attempts/attempt-schema';
import { settleRoute } from '../attempts/settle-route';
import {
  billingKeyErrors,
  billingKeyJson,
  billingKeyListExample,
  billingKeyListSchema,
  billingKeysQuery,
  issuanceDecisionExample,
  issuanceDecisionSchema,
  issuanceJson,
  issuanceSchema,
  settledIssuanceExample,
} from './billing-key-schema';
import { findKey } from './billing-key-store';
import { decideIssuance } from './decide-issuance';
import { findIssuance, findIssuances } from './issuance-store';

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

export const issuanceList = defineList({
  filters: {
    customer_uid: ofBillingKey,
    status: z.enum(IssuanceStatus).optional(),
    needs_person: needsPersonField,
  },
  cursor: byId,
  find: findIssuances,
  json: issuanceJson,
});

export const issuanceRoutes: ApiRoute[] = [
  listRoute(issuanceList, {
    path: '/api/issuances',
    summary: 'Attempts to issue a billing key, the newest first',
    id: 'IssuanceList',
    item: issuanceSchema,
    example: settledIssuanceExample,
  }),
  settleRoute({
    kind: 'issuance',
    scope: 'members',
    summary:
      'Record a person’s decision on an issuance; the billing key follows what the service shows (§4.7)',
    decision: issuanceDecisionSchema,
    example: issuanceDecisionExample,
    stored: issuanceSchema,
    storedExample: settledIssuanceExample,
    notFound: billingKeyErrors.issuance_not_found,
    isId: isRowId,
    decide: (context, id, decision) => decideIssuance(context, { id: BigInt(id), ...decision }),
    find: (context, id) => findIssuance(context, BigInt(id)),
    json: issuanceJson,
  }),
];
