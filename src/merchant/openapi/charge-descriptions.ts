// What moves money, or plans to: charges, key-in payments, cancellations and plans.

import { cancellationSchema, cancelledSchema } from '../charges/cancellation-json';
import { chargedSchema, chargeSchema } from '../charges/charge-json';
import { onetimeSchema } from '../charges/onetime-json';
import { plannedSchema, planSchema, revocationSchema, revokedSchema } from '../schedules/plan-json';
import { API_ERRORS, BODY_ERRORS, type ErrorCode } from './error-codes';
import { jsonBody, type RouteDescription } from './route-description';

const COMMON: readonly ErrorCode[] = [...API_ERRORS, ...BODY_ERRORS, 'service_unavailable'];
const NOT_STARTED: readonly ErrorCode[] = [
  'order_not_found',
  'order_not_payable',
  'order_planned',
  'charge_pending',
  'charge_needs_review',
];
const KEY_PROBLEMS: readonly ErrorCode[] = [
  'billing_key_not_found',
  'billing_key_not_active',
  'foreign_billing_key',
];
const UNKNOWN = 'The answer was lost; the outcome is being found out.';

export const chargeDescriptions: RouteDescription[] = [
  {
    method: 'post',
    path: '/api/orders/{merchant_uid}/charge',
    summary: 'Pay an order with a stored billing key',
    access: 'key',
    body: jsonBody(chargeSchema),
    answers: {
      200: { description: 'Paid.', schema: chargedSchema },
      202: { description: UNKNOWN, schema: chargedSchema },
    },
    errors: [
      ...COMMON,
      ...NOT_STARTED,
      ...KEY_PROBLEMS,
      'malformed_path',
      'payment_declined',
      'payment_refused',
    ],
  },
  {
    method: 'post',
    path: '/api/onetime',
    summary: 'Key-in payment: issue a billing key and take a first payment in one call (§4.3)',
    access: 'key',
    body: jsonBody(onetimeSchema),
    answers: {
      200: { description: 'Paid.', schema: chargedSchema },
      202: { description: UNKNOWN, schema: chargedSchema },
    },
    errors: [
      ...COMMON,
      ...NOT_STARTED,
      'order_conflict',
      'customer_uid_in_use',
      'payment_declined',
      'payment_refused',
    ],
  },
  {
    method: 'post',
    path: '/api/payments/{svc_uid}/cancel',
    summary: 'Give the money of a payment back, in full or in part',
    access: 'key',
    body: jsonBody(cancellationSchema),
    answers: {
      200: { description: 'Cancelled.', schema: cancelledSchema },
      202: { description: UNKNOWN, schema: cancelledSchema },
    },
    errors: [
      ...COMMON,
      'malformed_path',
      'payment_not_found',
      'cancellation_refused',
      'nothing_to_cancel',
      'balance_differs',
      'amount_exceeds_balance',
      'cancellation_pending',
      'cancellation_needs_review',
    ],
  },
  {
    method: 'post',
    path: '/api/schedules',
    summary: 'Plan payments with a stored billing key',
    access: 'key',
    body: jsonBody(planSchema),
    answers: {
      201: { description: 'Planned.', schema: plannedSchema },
      202: { description: UNKNOWN, schema: plannedSchema },
    },
    errors: [...COMMON, ...NOT_STARTED, ...KEY_PROBLEMS, 'order_conflict', 'schedule_refused'],
  },
  {
    method: 'post',
    path: '/api/schedules/revoke',
    summary: 'Revoke planned payments of a billing key',
    access: 'key',
    body: jsonBody(revocationSchema),
    answers: {
      200: { description: 'Revoked.', schema: revokedSchema },
      202: { description: 'The answer was lost; revoking again does no harm.', schema: revokedSchema },
    },
    errors: [...COMMON, 'billing_key_not_found', 'nothing_revoked'],
  },
];
