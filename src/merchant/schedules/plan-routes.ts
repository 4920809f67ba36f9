// POST /api/schedules and POST /api/schedules/revoke (contract §4).

import express, { type Router } from 'express';
import type { BillingKeyStore } from '../cards/billing-key-store';
import { chargeRefusal, NO_REASON, notExecuted, RETRY_AFTER_SECONDS } from '../charges/charge-answer';
import { RequestFault } from '../errors';
import { parseRequest } from '../http/parse-request';
import { noteForLog } from '../http/request-log';
import { plannedPaymentJson, readPlan, revocationSchema } from './plan-json';
import type { PlanOutcome, PlanPayments } from './plan-payments';
import type { RevocationOutcome, RevokePayments } from './revoke-payments';

type Dependencies = {
  planPayments: PlanPayments;
  revokePayments: RevokePayments;
  keys: Pick<BillingKeyStore, 'findKey'>;
};

export function createPlanRoutes({ planPayments, revokePayments, keys }: Dependencies): Router {
  const router = express.Router({ strict: true, caseSensitive: true });

  router.post('/schedules', async (request, response) => {
    const plan = readPlan(request.body);
    const { customerUid, plans } = plan;
    const result = await planPayments(plan);
    noteForLog(response, { customer_uid: customerUid, outcome: result.kind });
    if (result.kind === 'not_executed') response.set('Retry-After', RETRY_AFTER_SECONDS);
    const { status, outcome } = planAnswer(result);
    const schedules = plans.map(({ order, scheduleAt }) =>
      plannedPaymentJson({ ...order, customerUid, scheduleAt }),
    );
    response.status(status).json({ outcome, schedules });
  });

  router.post('/schedules/revoke', async (request, response) => {
    const { customer_uid: customerUid, merchant_uid } = parseRequest(revocationSchema, request.body);
    if (!(await keys.findKey(customerUid))) throw chargeRefusal('key_not_found');
    const merchantUids = typeof merchant_uid === 'string' ? [merchant_uid] : (merchant_uid ?? 'all');
    const result = await revokePayments({ customerUid, merchantUids });
    noteForLog(response, { customer_uid: customerUid, outcome: result.kind });
    if (result.kind === 'not_executed') response.set('Retry-After', RETRY_AFTER_SECONDS);
    const { status, outcome, records } = revocationAnswer(result);
    response.status(status).json({ outcome, schedules: records.map(plannedPaymentJson) });
  });
  return router;
}

/** @throws RequestFault where nothing was planned */
function planAnswer(result: PlanOutcome) {
  switch (result.kind) {
    case 'planned':
      return { status: 201, outcome: 'planned' };
    case 'unknown':
      return { status: 202, outcome: 'unknown' };
    case 'refused':
      throw new RequestFault(400, 'schedule_refused', result.serviceMessage ?? NO_REASON);
    case 'not_executed':
      throw notExecuted();
    case 'order_conflict':
      throw new RequestFault(
        409,
        'order_conflict',
        `${result.merchantUid} is registered with another amount, currency or member.`,
      );
    case 'order_not_found':
    case 'order_not_payable':
    case 'charge_pending':
    case 'order_planned':
    case 'charge_needs_review': {
      const { status, code, message } = chargeRefusal(result.kind);
      throw new RequestFault(status, code, `${result.merchantUid}: ${message}`);
    }
    case 'key_not_found':
    case 'key_not_active':
    case 'key_of_another_member':
      throw chargeRefusal(result.kind);
  }
}

/** @throws RequestFault where nothing was revoked */
function revocationAnswer(result: RevocationOutcome) {
  switch (result.kind) {
    case 'revoked':
      return { status: 200, outcome: 'revoked', records: result.records };
    case 'unknown':
      return { status: 202, outcome: 'unknown', records: [] };
    case 'refused':
      throw new RequestFault(409, 'nothing_revoked', result.serviceMessage ?? NO_REASON);
    case 'not_executed':
      throw notExecuted();
  }
}
