// GET /api/payments?status=…: payments by status, straight from the service (§4.5). Nothing of it is believed or stored:
// the books are filled by notifications and the sweep.

import express, { type Router } from 'express';
import { z } from 'zod';
import type { Clock } from '../clock';
import { RequestFault } from '../errors';
import { pageLimit, pageNumber, parseQuery, refusePastTheEnd, toPeriod, unixSeconds } from '../http/query';
import type { PaymentService } from '../payment-service/payment-service';
import { servicePaymentPageJson } from './service-payment-json';

const MAX_PERIOD_SECONDS = 90 * 86_400;
const DAY_SECONDS = 86_400;

export const servicePaymentsQuery = z.object({
  status: z.enum(['all', 'ready', 'paid', 'cancelled', 'failed']).default('all'),
  page: pageNumber.optional(),
  limit: pageLimit.optional(),
  from: unixSeconds.optional().meta({ description: 'UNIX seconds; default 90 days before `to`.' }),
  to: unixSeconds
    .optional()
    .meta({ description: 'UNIX seconds; default now. At most 90 days after `from`.' }),
  sorting: z
    .enum(['started', '-started', 'paid', '-paid', 'updated', '-updated'])
    .optional()
    .meta({ description: 'Default `started`; a leading minus means descending.' }),
});

type Dependencies = { service: Pick<PaymentService, 'getPaymentsByStatus'>; clock: Clock };

export function createServicePaymentRoutes({ service, clock }: Dependencies): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  router.get('/payments', async (request, response) => {
    const { status, from, to, ...rest } = parseQuery(servicePaymentsQuery, request);
    checkPeriod(from, to, clock.now());
    const page = await service.getPaymentsByStatus(status, {
      ...rest,
      ...toPeriod({ from, to }),
    });
    refusePastTheEnd([...page.list, ...page.unreadable], rest.page);
    response.json(servicePaymentPageJson(page));
  });
  return router;
}

/**
 * §4.5: at most 90 days. Without `to` the service's clock decides to the second; only what is more than a day too long
 * by our own clock, which may be off, is refused here.
 */
function checkPeriod(from: number | undefined, to: number | undefined, now: Date): void {
  if (from === undefined) return;
  const end = to ?? now.getTime() / 1000 - DAY_SECONDS;
  if (to !== undefined && from > to)
    throw new RequestFault(400, 'invalid_request', 'from: must not be later than to');
  if (end - from > MAX_PERIOD_SECONDS)
    throw new RequestFault(400, 'invalid_request', 'from: must be at most 90 days before to');
}
