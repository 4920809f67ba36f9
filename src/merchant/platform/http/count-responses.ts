// Counts every answer by the part of the server that gave it and the class of its status.

import type { RequestHandler } from 'express';
import type { Context } from '../context';

const AREAS = ['webhook', 'api', 'pages', 'probes'] as const;
const CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;

export function countResponses({ metrics }: Pick<Context, 'metrics'>): RequestHandler {
  // A counter that begins at 0 shows its first increase as well.
  for (const area of AREAS) for (const status of CLASSES) metrics.responses.inc({ area, status }, 0);
  return (request, response, next) => {
    const area = areaOf(request.path);
    response.once('finish', () => {
      metrics.responses.inc({ area, status: `${Math.floor(response.statusCode / 100)}xx` });
    });
    next();
  };
}

const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

function areaOf(path: string): (typeof AREAS)[number] {
  if (path.startsWith('/webhooks/')) return 'webhook';
  if (path.startsWith('/api/')) return 'api';
  return PROBES.has(path) ? 'probes' : 'pages';
}
