// What a caller is told about a charge: one table for charges with a stored key, key-in payments and schedules.

import { HttpError, RefusedError, type ErrorDefinition } from '../../platform/errors';
import { platformErrors } from '../../platform/platform-errors';
import { billingKeyErrors } from '../billing-keys/billing-key-schema';
import type { KeyProblem } from '../billing-keys/check-billing-key';
import { orderErrors } from '../orders/order-schema';
import { paymentFieldError } from '../orders/payment-fields-schema';
import type { ChargeOutcome } from './charge-order';
import { chargeErrors } from './errors';
import type { OnetimeOutcome } from './pay-onetime';
import type { NotStarted } from './start-charges';

/** Why no charge was started. */
export const NOT_STARTED: Record<NotStarted['kind'], ErrorDefinition> = {
  order_not_found: orderErrors.order_not_found,
  order_not_payable: chargeErrors.order_not_payable,
  order_scheduled: chargeErrors.order_scheduled,
  charge_pending: chargeErrors.charge_pending,
  charge_needs_review: chargeErrors.charge_needs_review,
};

/** Why a billing key may not pay. */
const KEY_PROBLEMS: Record<KeyProblem, ErrorDefinition> = {
  key_not_found: billingKeyErrors.billing_key_not_found,
  key_not_active: chargeErrors.billing_key_not_active,
  key_of_another_member: chargeErrors.foreign_billing_key,
};

export const NOT_STARTED_ERRORS: readonly ErrorDefinition[] = Object.values(NOT_STARTED);
export const KEY_ERRORS: readonly ErrorDefinition[] = Object.values(KEY_PROBLEMS);

/** Why nothing was sent. */
export function chargeProblem(kind: NotStarted['kind'] | KeyProblem): HttpError {
  return new HttpError({ ...NOT_STARTED, ...KEY_PROBLEMS }[kind]);
}

export type ChargeResponse = { status: 200; outcome: 'paid' } | { status: 202; outcome: 'unknown' };

/**
 * 200 where money moved, 202 where it may have.
 * @throws HttpError 402 where the card or the service said no; others where no charge was made or a person has to decide
 */
export function chargeResponse(outcome: ChargeOutcome | OnetimeOutcome): ChargeResponse {
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
    case 'card_tried_too_often':
      throw new HttpError(chargeErrors.card_tried_too_often, null, outcome.retryAfterSeconds);
    case 'order_conflict':
      throw new HttpError(orderErrors.order_conflict);
    case 'customer_uid_in_use':
    case 'payment_not_judged':
      throw new HttpError(chargeErrors[outcome.kind]);
    case 'order_not_found':
    case 'order_not_payable':
    case 'order_scheduled':
    case 'charge_pending':
    case 'charge_needs_review':
    case 'key_not_found':
    case 'key_not_active':
    case 'key_of_another_member':
      throw chargeProblem(outcome.kind);
  }
}
