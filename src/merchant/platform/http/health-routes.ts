// Liveness, and readiness with reasons. Neither says anything about a member or a payment.

import express, { type Router } from 'express';
import { z } from 'zod';
import type { Readiness } from '../readiness';
import type { RouteDescription } from './route-description';

export function healthRoutes(readiness: Readiness): Router {
  const router = express.Router({ strict: true, caseSensitive: true });

  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });

  router.get('/readyz', async (_request, response) => {
    const reasons = await readiness.reasonsNotReady();
    response.status(reasons.length > 0 ? 503 : 200);
    response.json({ status: reasons.length > 0 ? 'not_ready' : 'ready', reasons });
  });
  return router;
}

const readinessSchema = z
  .strictObject({
    status: z.enum(['ready', 'not_ready']),
    reasons: z.array(z.string()).meta({ description: 'Why no traffic should come; empty when ready.' }),
  })
  .meta({ id: 'Readiness', description: 'Whether traffic should come.' });

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
];
