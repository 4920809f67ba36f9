// Liveness, readiness with reasons, and metrics. None of them says anything about a member or a payment.

import express, { type Router } from 'express';
import { z } from 'zod';
import type { Context } from '../context';
import { HttpError } from '../errors';
import type { Readiness } from '../readiness';
import { hasApiKey } from './api-key';
import type { RouteDescription } from './route-description';
import { isFromThisMachine } from './source-address';

export function healthRoutes({ config, metrics }: Context, readiness: Readiness): Router {
  const router = express.Router({ strict: true, caseSensitive: true });

  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });

  router.get('/readyz', async (_request, response) => {
    const reasons = await readiness.reasonsNotReady();
    response.status(reasons.length > 0 ? 503 : 200);
    response.json({ status: reasons.length > 0 ? 'not_ready' : 'ready', reasons });
  });

  router.get('/metrics', async (request, response) => {
    if (!isFromThisMachine(request) && !hasApiKey(request, config.apiKeys))
      throw new HttpError('unauthorized');
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return router;
}

const readinessSchema = z
  .strictObject({
    status: z.enum(['ready', 'not_ready']),
    reasons: z.array(z.string()).meta({ description: 'Why no traffic should come; empty when ready.' }),
  })
  .meta({ id: 'Readiness', description: 'Whether traffic should come.' });

const METRICS_EXAMPLE = `# TYPE merchant_notifications_total counter
merchant_notifications_total{outcome="recorded"} 1
`;

export const healthDescriptions: RouteDescription[] = [
  {
    method: 'get',
    path: '/healthz',
    summary: 'Liveness probe',
    access: 'open',
    answers: {
      200: {
        description: 'Alive.',
        schema: z.strictObject({ status: z.literal('ok') }),
        example: { status: 'ok' },
      },
    },
    errors: [],
  },
  {
    method: 'get',
    path: '/readyz',
    summary: 'Readiness probe, with reasons',
    access: 'open',
    answers: {
      200: { description: 'Ready.', schema: readinessSchema, example: { status: 'ready', reasons: [] } },
      503: { description: 'Not ready.', schema: readinessSchema },
    },
    errors: [],
  },
  {
    method: 'get',
    path: '/metrics',
    summary: 'Metrics in Prometheus text format',
    description:
      'With the key, or from this machine itself: a request with a header of a proxy, in HTTP/1.0, or with another Host than localhost or a loopback address needs the key.',
    access: 'key',
    answers: {
      200: {
        description: 'The metrics.',
        schema: z.string(),
        contentType: 'text/plain',
        example: METRICS_EXAMPLE,
      },
    },
    errors: ['unauthorized'],
  },
];
