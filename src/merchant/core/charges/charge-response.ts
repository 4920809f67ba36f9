// Maps the outcomes of charges to API answers and errors, for charges with a stored key and schedules.

import type { Context } from '../../platform/context';
import { defineErrors, HttpError, RefusedError, type ErrorDefinition } from '../../platform/errors';
import type { ApiResponse } from '../../platform/http/api-route';
import { platformErrors } from '../../platform/platform-errors';
import { billingKeyErrors } from '../billing-keys/billing-key-schema';
import { orderErrors, orderJson } from '../orders/order-schema';
import { findOrder } from '../orders/order-store';
import { paymentFieldError } from '../orders/payment-fields-schema';
import type { ChargeOutcome } from './charge-order';
import type { KeyProblem, NotStarted } from './start-charges';

export const chargeErrors = defineErrors({
  payment_declined: {
    status: 402,
    message: 'The card was declined; the message is the card company’s reason, if any (§2.4, fail_reason).',
    remedy: 'Ask for another card; the order can be charged again.',
  },
  payment_refused: {
    status: 402,
    message: 'The payment service refused the payment; the message is from the service.',
    remedy: 'Read the message; the order can be charged again.',
  },
  foreign_billing_key: {
    status: 403,
    message: 'The billing key belongs to another member than the order.',
    remedy: 'Charge with a key of the order’s member.',
  },
  charge_not_found: {
    status: 404,
    message: 'There is no charge with this id.',
    remedy: 'See GET /api/charges.',
  },
  order_not_payable: {
    status: 409,
    message: 'The order is paid, was cancelled, or is closed.',
    remedy: 'Read the order: it can be charged only while it is open, failed or awaits a deposit.',
  },
  order_scheduled: {
    status: 409,
    message: 'A payment of this order is scheduled.',
    remedy: 'Revoke the schedule first.',
  },
  charge_pending: {
    status: 409,
    message: 'The outcome of a charge of this order is not known yet.',
    remedy: 'Wait and read the order again: the payment service is polled.',
  },
  charge_needs_review: {
    status: 409,
    message: 'A charge of this order needs a person, for example because its payment does not fit the order.',
    remedy:
      'See GET /api/charges and GET /api/discrepancies; a person decides with POST /api/charges/{id}/settle.',
  },
  billing_key_not_active: {
    status: 409,
    message: 'The billing key cannot pay now: it is pending, failed, removed, or needs review.',
    remedy: 'See GET /api/billing-keys; use another key.',
  },
  payment_not_judged: {
    status: 409,
    message: 'The payment cannot be verified now, so it may pay for an order. Nothing was sent.',
    remedy: 'Try again later. If a needs_review discrepancy names the payment, refund that one.',
  },
});

/** Errors for a charge that was not started. */
export const NOT_STARTED: Record<NotStarted['kind'], ErrorDefinition> = {
  order_not_found: orderErrors.order_not_found,
  order_not_payable: chargeErrors.order_not_payable,
  order_scheduled: chargeErrors.order_scheduled,
  charge_pending: chargeErrors.charge_pending,
  charge_needs_review: chargeErrors.charge_needs_review,
};

/** Errors for a billing key that may not pay. */
export const KEY_PROBLEMS: Record<KeyProblem, ErrorDefinition> = {
  key_not_found: billingKeyErrors.billing_key_not_found,
  key_not_active: chargeErrors.billing_key_not_active,
  key_of_another_member: chargeErrors.foreign_billing_key,
};

/**
 * 200 if money moved, 202 if it may have.
 * @throws HttpError 402 if the card company or the service refused; others if no charge was made or a person has to
 * decide
 */
function statusOf(outcome: ChargeOutcome) {
  switch (outcome.kind) {
    case 'paid':
      return { status: 200, outcome: 'paid' };
    case 'unknown':
      return { status: 202, outcome: 'unknown' };
    case 'declined':
      throw new HttpError(chargeErrors.payment_declined, outcome.reason);
    case 'refused':
      throw new RefusedError(chargeErrors.payment_refused, outcome.serviceMessage);
    case 'needs_review':
      throw new HttpError(chargeErrors.charge_needs_review);
    case 'not_executed':
      throw new HttpError(platformErrors.service_unavailable);
    case 'instalments_not_possible':
    case 'tax_free_exceeds_amount':
      throw paymentFieldError(outcome.kind);
    case 'payment_not_judged':
      throw new HttpError(chargeErrors.payment_not_judged);
    case 'order_not_found':
    case 'order_not_payable':
    case 'order_scheduled':
    case 'charge_pending':
    case 'charge_needs_review':
      throw new HttpError(NOT_STARTED[outcome.kind]);
    case 'key_not_found':
    case 'key_not_active':
    case 'key_of_another_member':
      throw new HttpError(KEY_PROBLEMS[outcome.kind]);
  }
}

/**
 * Reads the order after the charge, so that the answer shows what was stored.
 * @throws HttpError as `statusOf`
 */
export async function chargedResponse(
  context: Context,
  merchantUid: string,
  result: ChargeOutcome,
): Promise<ApiResponse> {
  const { status, outcome } = statusOf(result);
  const order = await findOrder(context, merchantUid);
  if (!order) throw new HttpError(orderErrors.order_not_found);
  return { status, body: { outcome, order: orderJson(order) } };
}
