// The lists: what the service has (§4.5 to §4.8), what was received, and what did not fit.

import { billingKeyListSchema } from '../cards/billing-key-api-json';
import { billingKeyPaymentsQuery, billingKeysQuery } from '../cards/billing-key-api-routes';
import { discrepancyListSchema } from '../payments/discrepancy-list-json';
import { discrepanciesQuery } from '../payments/discrepancy-list-routes';
import { notificationListSchema } from '../payments/notification-list-json';
import { notificationsQuery } from '../payments/notification-list-routes';
import { servicePaymentPageSchema } from '../payments/service-payment-json';
import { servicePaymentsQuery } from '../payments/service-payment-routes';
import { serviceScheduleListSchema } from '../schedules/schedule-list-json';
import { schedulesQuery } from '../schedules/schedule-list-routes';
import { API_ERRORS, SERVICE_ERRORS } from './error-codes';
import type { RouteDescription } from './route-description';

export const listDescriptions: RouteDescription[] = [
  {
    method: 'get',
    path: '/api/payments',
    summary: 'Payments by status, from the service (§4.5)',
    access: 'key',
    query: servicePaymentsQuery,
    answers: { 200: { description: 'A page.', schema: servicePaymentPageSchema } },
    errors: [...API_ERRORS, ...SERVICE_ERRORS, 'invalid_request', 'page_out_of_range'],
  },
  {
    method: 'get',
    path: '/api/billing-keys',
    summary: 'Billing keys from both sides (§4.7)',
    access: 'key',
    query: billingKeysQuery,
    answers: { 200: { description: 'Those that either side knows.', schema: billingKeyListSchema } },
    errors: [...API_ERRORS, ...SERVICE_ERRORS, 'invalid_request', 'billing_key_not_found'],
  },
  {
    method: 'get',
    path: '/api/billing-keys/{customer_uid}/payments',
    summary: 'What was paid with a billing key, from the service (§4.6)',
    access: 'key',
    query: billingKeyPaymentsQuery,
    answers: { 200: { description: 'A page.', schema: servicePaymentPageSchema } },
    errors: [
      ...API_ERRORS,
      ...SERVICE_ERRORS,
      'invalid_request',
      'page_out_of_range',
      'malformed_path',
      'billing_key_not_found',
      'service_not_found',
    ],
  },
  {
    method: 'get',
    path: '/api/schedules',
    summary: 'Planned payments by period, from the service (§4.8)',
    access: 'key',
    query: schedulesQuery,
    answers: { 200: { description: 'The schedules of the page.', schema: serviceScheduleListSchema } },
    errors: [...API_ERRORS, ...SERVICE_ERRORS, 'invalid_request', 'page_out_of_range'],
  },
  {
    method: 'get',
    path: '/api/notifications',
    summary: 'What was received, the newest first',
    access: 'key',
    query: notificationsQuery,
    answers: { 200: { description: 'A page.', schema: notificationListSchema } },
    errors: [...API_ERRORS, 'invalid_request'],
  },
  {
    method: 'get',
    path: '/api/discrepancies',
    summary: 'What was checked and did not fit, the newest first',
    access: 'key',
    query: discrepanciesQuery,
    answers: { 200: { description: 'A page.', schema: discrepancyListSchema } },
    errors: [...API_ERRORS, 'invalid_request'],
  },
];
