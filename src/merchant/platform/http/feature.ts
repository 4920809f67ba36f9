// What any server has: health checks, the shop's colours, and the rows of its limits.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { Router } from 'express';
import { z } from 'zod';
import type * as rows from '../../../generated/prisma/client';
import { EVERY_FIVE_MINUTES } from '../clock';
import type { Context } from '../context';
import { deleteEmptyBuckets } from '../limit-store';
import type { Columns } from '../personal-data';
import { platformErrors } from '../platform-errors';
import type { Readiness } from '../readiness';
import type { Feature } from './feature-type';
import type { RouteDescription } from './route-description';
import { errorsEn } from './texts.en';
import { errorsKo } from './texts.ko';
import { SHARED_STATIC, VIEWS } from './views';

/** Liveness, and readiness with reasons. Neither reveals anything about a member or a payment. */
function healthRoutes(readiness: Readiness): Router {
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
    reasons: z.array(z.string()).meta({ description: 'Why it is not ready; empty when ready.' }),
  })
  .meta({ id: 'Readiness', description: 'Whether the server is ready for traffic.' });

const healthDescriptions: RouteDescription[] = [
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

/**
 * Keyed hashes of member ids, addresses and card numbers, kept for at most a day. An erasure cannot tell whose they
 * are.
 */
const limitColumns = {
  card_limits: { key: 'stays', expire: 'stays' } satisfies Columns<rows.CardLimit>,
};

export const server: Feature = {
  name: 'server',
  errors: platformErrors,
  jobs: [{ name: 'forget-card-attempts', crontab: EVERY_FIVE_MINUTES, priority: 3, run: deleteEmptyBuckets }],
  personalData: limitColumns,
  probes: ({ readiness }) => healthRoutes(readiness),
  pathParameters: {
    id: { description: 'The `id` in the list.', example: '17' },
  },
  api: {
    health: {
      description: 'Health of the server, and this description.',
      endpoints: healthDescriptions,
    },
  },
  pages: ({ context }) => Router().use(iconRoute(context), shopColorRoutes(context)),
  texts: { ko: errorsKo, en: errorsEn },
};

/** Browsers ask for it by themselves, also where no page names an icon. */
function iconRoute({ config }: Pick<Context, 'config'>): Router {
  return Router().get('/favicon.ico', (_request, response) =>
    response.redirect(303, `${config.pathPrefix}/static/icon.svg`),
  );
}

/**
 * GET /static/base.css for a shop with its own colour: the file, followed by the colours derived from the shop's. A
 * separate file would add a request to every page, and an inline style would need a weaker content security policy.
 */
function shopColorRoutes({ config }: Pick<Context, 'config'>): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const { color } = config.shop;
  if (color === null) return router;
  const files = [join(SHARED_STATIC, 'base.css'), join(VIEWS, 'merchant', 'shop-color.css')];
  const [base, mixed] = files.map((file) => readFileSync(file, 'utf8'));
  const css = `${base}\n:root {\n  --shop: ${color};\n}\n\n${mixed}`;
  const etag = `"${createHash('sha256').update(css).digest('base64url')}"`;
  router.get('/static/base.css', (_request, response) => {
    response.set({ 'Cache-Control': 'public, max-age=0', ETag: etag }).type('css').send(css);
  });
  return router;
}
