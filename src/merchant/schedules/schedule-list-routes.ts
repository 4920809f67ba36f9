// GET /api/schedules?schedule_from=…&schedule_to=…: planned payments by period, straight from the service (§4.8). The
// 90 days of §8 are those of §4.5: a plan may lie further ahead.

import express, { type Router } from 'express';
import { z } from 'zod';
import { RequestFault } from '../errors';
import { pageLimit, pageNumber, parseQuery, refusePastTheEnd, toDate, unixSeconds } from '../http/query';
import type { PaymentService } from '../payment-service/payment-service';
import { serviceScheduleJson } from './schedule-list-json';

export const schedulesQuery = z.object({
  schedule_from: unixSeconds.meta({ description: 'UNIX seconds.' }),
  schedule_to: unixSeconds.meta({ description: 'UNIX seconds.' }),
  schedule_status: z.enum(['scheduled', 'executed', 'revoked']).optional(),
  page: pageNumber.optional(),
  limit: pageLimit.optional(),
  sorting: z
    .enum(['scheduled'])
    .optional()
    .meta({ description: '`scheduled`: oldest first; without it the newest scheduled time comes first.' }),
});

export function createScheduleListRoutes(service: Pick<PaymentService, 'getSchedules'>): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  router.get('/schedules', async (request, response) => {
    const { schedule_from, schedule_to, schedule_status, ...rest } = parseQuery(schedulesQuery, request);
    if (schedule_from > schedule_to)
      throw new RequestFault(400, 'invalid_request', 'schedule_from: must not be later than schedule_to');
    const list = await service.getSchedules({
      ...rest,
      scheduleFrom: toDate(schedule_from),
      scheduleTo: toDate(schedule_to),
      scheduleStatus: schedule_status,
    });
    refusePastTheEnd(list, rest.page);
    response.json(list.map(serviceScheduleJson));
  });
  return router;
}
