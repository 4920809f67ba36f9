// GET /api/billing-keys?customer_uid[]=… (§4.7) and GET /api/billing-keys/{customer_uid}/payments (§4.6): billing keys
// as the service and we ourselves know them, and what was paid with one.

import express, { type Router } from 'express';
import { z } from 'zod';
import { RequestFault } from '../errors';
import { listOf, pageNumber, parseQuery, refusePastTheEnd } from '../http/query';
import { isCustomerUid } from '../payment-service/identifiers';
import type { PaymentService } from '../payment-service/payment-service';
import { servicePaymentPageJson } from '../payments/service-payment-json';
import { billingKeyJson } from './billing-key-api-json';
import type { BillingKeyStore } from './billing-key-store';

/** No limit is shown for §4.7; a hundred names of full length stay below what servers take as an address. */
const MOST_KEYS = 100;

export const billingKeysQuery = z.object({
  'customer_uid[]': listOf(z.string().refine(isCustomerUid, 'is no customer_uid'), MOST_KEYS),
});
export const billingKeyPaymentsQuery = z.object({ page: pageNumber.optional() });

type Dependencies = {
  service: Pick<PaymentService, 'findBillingKeys' | 'getBillingKeyPayments'>;
  store: Pick<BillingKeyStore, 'findKey'>;
};

export function createBillingKeyApiRoutes({ service, store }: Dependencies): Router {
  const router = express.Router({ strict: true, caseSensitive: true });

  router.get('/billing-keys', async (request, response) => {
    const asked = [...new Set(parseQuery(billingKeysQuery, request)['customer_uid[]'])];
    const [records, stored] = await Promise.all([
      service.findBillingKeys(asked),
      Promise.all(asked.map((customerUid) => store.findKey(customerUid))),
    ]);
    const keys = asked.flatMap((customerUid, index) => {
      const record = records.find((each) => each.customerUid === customerUid);
      const ours = stored[index] ?? null;
      return record || ours ? [billingKeyJson(customerUid, record, ours)] : [];
    });
    if (keys.length === 0) throw notFound();
    response.json(keys);
  });

  router.get('/billing-keys/:customer_uid/payments', async (request, response) => {
    const customerUid = request.params.customer_uid;
    const { page } = parseQuery(billingKeyPaymentsQuery, request);
    if (!isCustomerUid(customerUid)) throw notFound();
    const payments = await service.getBillingKeyPayments(customerUid, page);
    refusePastTheEnd([...payments.list, ...payments.unreadable], page);
    response.json(servicePaymentPageJson(payments));
  });
  return router;
}

const notFound = () =>
  new RequestFault(404, 'billing_key_not_found', 'No billing key has this customer_uid.');
