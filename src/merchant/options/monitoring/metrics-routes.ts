// GET /metrics: the counters of this process and the backlogs in the database, in Prometheus format. It reveals nothing
// about a member or a payment.

import express, { type Router } from 'express';
import { z } from 'zod';
import type { Context } from '../../platform/context';
import { authenticate, checkScope } from '../../platform/http/api-key';
import { jsonErrors } from '../../platform/http/error-response';
import type { RouteDescription } from '../../platform/http/route-description';
import { isFromThisMachine } from '../../platform/http/source-address';
import { platformErrors } from '../../platform/platform-errors';
import type { Readiness } from '../../platform/readiness';
import { createGauges } from './gauges';

const SCOPE = 'read';

export function metricsRoutes(context: Context, readiness: Readiness): Router {
  const { metrics } = context;
  const readGauges = createGauges(context, readiness);
  const router = express.Router({ strict: true, caseSensitive: true });

  router.get('/metrics', async (request, response) => {
    if (!isFromThisMachine(request))
      checkScope(context, request, await authenticate(context, request), SCOPE);
    // Counters are read last, so that they are current.
    const gauges = await readGauges();
    response.type(metrics.registry.contentType).send(gauges + (await metrics.registry.metrics()));
  });
  router.use('/metrics', jsonErrors(context));
  return router;
}

const METRICS_EXAMPLE = `# TYPE merchant_notifications_open gauge
merchant_notifications_open 0
# TYPE merchant_notifications_total counter
merchant_notifications_total{outcome="recorded"} 1
`;

export const metricsDescription: RouteDescription = {
  method: 'get',
  path: '/metrics',
  summary: 'Metrics in Prometheus text format',
  description:
    'With the key, or from this machine itself: a request with a header of a proxy, in HTTP/1.0, or with another Host than localhost or a loopback address needs the key. Where the database does not answer, `merchant_gauges_up` is 0 and the gauges are left out.',
  access: SCOPE,
  answers: {
    200: {
      description: 'The metrics.',
      schema: z.string(),
      contentType: 'text/plain',
      example: METRICS_EXAMPLE,
    },
  },
  errors: [platformErrors.unauthorized, platformErrors.too_many_wrong_keys, platformErrors.scope_missing],
};
