// The routes of schedules: POST /api/schedules, POST /api/schedules/revoke, GET /api/schedules straight from the service
// (§4.8), and GET /api/schedules/planned from our rows.

import { z } from 'zod';
import { fromUnixSeconds } from '../../payment-service/records/record-fields';
import { SCHEDULE_STATUSES } from '../../payment-service/schedules';
import { HttpError, RefusedError, type ErrorDefinition } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { byTime, defineList, listRoute } from '../../platform/http/list';
import {
  AS_THE_SERVICE_PAGES,
  ofBillingKey,
  ofOrder,
  pageLimit,
  pageNumber,
  refusePastTheEnd,
  unixSeconds,
} from '../../platform/http/query';
import { platformErrors } from '../../platform/platform-errors';
import { billingKeyErrors } from '../billing-keys/billing-key-schema';
import { findKey } from '../billing-keys/billing-key-store';
import { KEY_PROBLEMS, NOT_STARTED } from '../charges/charge-response';
import { findPlannedPayments } from '../charges/charge-store';
import { memberIdField, orderErrors } from '../orders/order-schema';
import { revokeSchedules, type RevocationOutcome } from './revoke-schedules';
import { schedulePayments, type ScheduleOutcome } from './schedule-payments';
import {
  plannedPaymentExample,
  plannedPaymentJson,
  plannedPaymentSchema,
  revocationExample,
  revocationSchema,
  revokedExample,
  revokedSchema,
  scheduledExample,
  scheduledPaymentJson,
  scheduledSchema,
  scheduleErrors,
  scheduleExample,
  scheduleSchema,
  serviceScheduleJson,
  serviceScheduleListExample,
  serviceScheduleListSchema,
  toScheduleRequest,
  unreadableScheduleJson,
} from './schedule-schema';

const schedulesQuery = z.object({
  schedule_from: unixSeconds.meta({
    description: 'Due at or after, in UNIX seconds.',
    examples: [1_893_369_600],
  }),
  schedule_to: unixSeconds.meta({ description: 'Due before, in UNIX seconds.', examples: [1_893_542_400] }),
  schedule_status: z.enum(SCHEDULE_STATUSES).optional(),
  page: pageNumber.optional(),
  limit: pageLimit.optional(),
  sorting: z
    .enum(['scheduled'])
    .optional()
    .meta({ description: '`scheduled`: oldest first; without it the newest scheduled time comes first.' }),
});

export const plannedList = defineList({
  filters: {
    member_id: memberIdField.optional().meta({ description: 'Of orders of this member.' }),
    merchant_uid: ofOrder,
    customer_uid: ofBillingKey,
  },
  cursor: byTime('scheduleAt', 'id'),
  find: findPlannedPayments,
  json: plannedPaymentJson,
});

export const scheduleRoutes: ApiRoute[] = [
  apiRoute({
    method: 'post',
    path: '/api/schedules',
    scope: 'charge',
    summary: 'Schedule payments with a stored billing key',
    description:
      'Registers the orders too. As at the service, `schedule_at` is in UNIX seconds (§4.8). A single payment can be sent without a list.',
    body: scheduleSchema,
    example: scheduleExample,
    answers: {
      201: { description: 'Scheduled.', schema: scheduledSchema, example: scheduledExample },
      202: { description: 'The answer was lost; its outcome is polled for.', schema: scheduledSchema },
    },
    errors: [
      ...Object.values(NOT_STARTED),
      ...Object.values(KEY_PROBLEMS),
      orderErrors.order_conflict,
      scheduleErrors.schedule_refused,
      platformErrors.service_unavailable,
    ],
    async handle(context, { body, log }) {
      const request = toScheduleRequest(body);
      const { customerUid, payments } = request;
      const result = await schedulePayments(context, request);
      log({ customer_uid: customerUid, outcome: result.kind });
      const { status, outcome } = scheduleResponse(result);
      const schedules = payments.map(({ order, scheduleAt }) =>
        scheduledPaymentJson({ ...order, customerUid, scheduleAt }),
      );
      return { status, body: { outcome, schedules } };
    },
  }),
  apiRoute({
    method: 'post',
    path: '/api/schedules/revoke',
    scope: 'charge',
    summary: 'Revoke scheduled payments of a billing key',
    description:
      'Revokes the schedule of one order, of several, or of all. An executed schedule does not change. As at the service, `schedule_at` is in UNIX seconds (§4.8).',
    body: revocationSchema,
    example: revocationExample,
    answers: {
      200: { description: 'Revoked.', schema: revokedSchema, example: revokedExample },
      202: { description: 'The answer was lost; it is safe to revoke again.', schema: revokedSchema },
    },
    errors: [
      billingKeyErrors.billing_key_not_found,
      scheduleErrors.nothing_revoked,
      platformErrors.service_unavailable,
    ],
    async handle(context, { body, log }) {
      const { customer_uid: customerUid, merchant_uid } = body;
      if (!(await findKey(context, customerUid))) throw new HttpError(billingKeyErrors.billing_key_not_found);
      const merchantUids = typeof merchant_uid === 'string' ? [merchant_uid] : (merchant_uid ?? 'all');
      const result = await revokeSchedules(context, { customerUid, merchantUids });
      log({ customer_uid: customerUid, outcome: result.kind });
      const { status, outcome, records } = revocationResponse(result);
      return { status, body: { outcome, schedules: records.map(scheduledPaymentJson) } };
    },
  }),
  apiRoute({
    method: 'get',
    path: '/api/schedules',
    scope: 'read',
    summary: 'Scheduled payments by period, from the service (§4.8)',
    description: AS_THE_SERVICE_PAGES,
    query: schedulesQuery,
    answers: {
      200: {
        description: 'The schedules of the page.',
        schema: serviceScheduleListSchema,
        example: serviceScheduleListExample,
      },
    },
    errors: [platformErrors.page_out_of_range],
    asksService: true,
    // The 90 days of §8 apply to §4.5. A schedule may be further ahead, so the period is not limited here.
    async handle({ service }, { query }) {
      const { schedule_from, schedule_to, schedule_status, ...rest } = query;
      if (schedule_from > schedule_to)
        throw new HttpError(
          platformErrors.invalid_request,
          'schedule_from: must not be later than schedule_to',
        );
      const { list, unreadable } = await service.getSchedules({
        ...rest,
        scheduleFrom: fromUnixSeconds(schedule_from),
        scheduleTo: fromUnixSeconds(schedule_to),
        scheduleStatus: schedule_status,
      });
      refusePastTheEnd([...list, ...unreadable], rest.page);
      return { body: [...list.map(serviceScheduleJson), ...unreadable.map(unreadableScheduleJson)] };
    },
  }),
  listRoute(plannedList, {
    path: '/api/schedules/planned',
    summary: 'Planned payments as we have stored them, the first one due first',
    id: 'PlannedPaymentList',
    item: plannedPaymentSchema,
    example: plannedPaymentExample,
  }),
];

/** @throws HttpError if nothing was scheduled */
function scheduleResponse(result: ScheduleOutcome) {
  switch (result.kind) {
    case 'scheduled':
      return { status: 201, outcome: 'scheduled' };
    case 'unknown':
      return { status: 202, outcome: 'unknown' };
    case 'refused':
      throw new RefusedError(scheduleErrors.schedule_refused, result.serviceMessage);
    case 'not_executed':
      throw new HttpError(platformErrors.service_unavailable);
    case 'order_conflict':
      throw orderProblem(result.merchantUid, orderErrors.order_conflict);
    case 'order_not_found':
    case 'order_not_payable':
    case 'order_scheduled':
    case 'charge_pending':
    case 'charge_needs_review':
      throw orderProblem(result.merchantUid, NOT_STARTED[result.kind]);
    case 'order_not_schedulable':
      throw orderProblem(result.merchantUid, orderErrors.order_conflict, NOT_SCHEDULABLE);
    case 'key_not_found':
    case 'key_not_active':
    case 'key_of_another_member':
      throw new HttpError(KEY_PROBLEMS[result.kind]);
  }
}

const NOT_SCHEDULABLE =
  'The order is registered with card_quota or tax_free, which the service does not take for a scheduled payment (§4.9).';

/** The message names the order, because it is one of several. */
function orderProblem(
  merchantUid: string,
  definition: ErrorDefinition,
  message: string = definition.message,
): HttpError {
  return new HttpError(definition, `${merchantUid}: ${message}`);
}

/** @throws HttpError if nothing was revoked */
function revocationResponse(result: RevocationOutcome) {
  switch (result.kind) {
    case 'revoked':
      return { status: 200, outcome: 'revoked', records: result.records };
    case 'unknown':
      return { status: 202, outcome: 'unknown', records: [] };
    case 'refused':
      throw new RefusedError(scheduleErrors.nothing_revoked, result.serviceMessage);
    case 'not_executed':
      throw new HttpError(platformErrors.service_unavailable);
  }
}
