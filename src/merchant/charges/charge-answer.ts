// What a caller is told of a charge (contract §4): one table for charges with a stored key, key-in payments and plans.

import { RequestFault } from '../errors';
import type { ChargeOutcome } from './charge-order';
import type { OnetimeOutcome } from './pay-onetime';
import type { NotStarted } from './start-charges';
import type { KeyProblem } from './usable-key';

export type ChargeAnswer = { status: 200; outcome: 'paid' } | { status: 202; outcome: 'unknown' };

/**
 * 200 where money moved, 202 where it may have.
 * @throws RequestFault 402 where the card or the service said no, and for everything that kept the charge from being made
 */
export function chargeAnswer(outcome: ChargeOutcome | OnetimeOutcome): ChargeAnswer {
  switch (outcome.kind) {
    case 'paid':
      return { status: 200, outcome: 'paid' };
    case 'unknown':
      return { status: 202, outcome: 'unknown' };
    case 'declined':
      throw new RequestFault(402, 'payment_declined', outcome.reason ?? 'The card was declined.');
    case 'refused':
      throw new RequestFault(402, 'payment_refused', outcome.serviceMessage ?? NO_REASON);
    case 'needs_review':
      throw chargeRefusal('charge_needs_review');
    case 'not_executed':
      throw notExecuted();
    case 'order_conflict':
      throw new RequestFault(
        409,
        'order_conflict',
        'This merchant_uid is registered with another amount, currency or member.',
      );
    case 'customer_uid_in_use':
      throw new RequestFault(409, 'customer_uid_in_use', 'This customer_uid has a key, or one on its way.');
    case 'order_not_found':
    case 'order_not_payable':
    case 'charge_pending':
    case 'order_planned':
    case 'charge_needs_review':
    case 'key_not_found':
    case 'key_not_active':
    case 'key_of_another_member':
      throw chargeRefusal(outcome.kind);
  }
}

/** For the header of a 503: how long to wait. */
export const RETRY_AFTER_SECONDS = '10';

export const NO_REASON = 'The payment service gave no reason.';

/** Why nothing was sent. */
export function chargeRefusal(kind: NotStarted['kind'] | KeyProblem): RequestFault {
  switch (kind) {
    case 'order_not_found':
      return new RequestFault(404, 'order_not_found', 'No order has this merchant_uid.');
    case 'order_not_payable':
      return new RequestFault(
        409,
        'order_not_payable',
        'Only an order that is open or failed can be charged.',
      );
    case 'charge_pending':
      return new RequestFault(
        409,
        'charge_pending',
        'The outcome of a charge of this order is not known yet.',
      );
    case 'order_planned':
      return new RequestFault(409, 'order_planned', 'A payment of this order is planned: revoke it first.');
    case 'charge_needs_review':
      return new RequestFault(
        409,
        'charge_needs_review',
        'A charge of this order led to a payment that does not fit: see its discrepancies.',
      );
    case 'key_not_found':
      return new RequestFault(404, 'billing_key_not_found', 'There is no billing key for this customer_uid.');
    case 'key_not_active':
      return new RequestFault(409, 'billing_key_not_active', 'This billing key cannot pay now.');
    case 'key_of_another_member':
      return new RequestFault(403, 'foreign_billing_key', 'This billing key belongs to another member.');
  }
}

/** The service did not have the request, or would not look at it. */
export function notExecuted(): RequestFault {
  return new RequestFault(
    503,
    'service_unavailable',
    'The payment service does not take requests now: nothing happened, it can be tried again.',
  );
}
