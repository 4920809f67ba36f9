// Counts every answer by the part of the server that gave it and the class of its status.

import type { RequestHandler } from 'express';
import type { Context } from '../context';
import { httpCounters, type AREAS } from './metrics';

export function countResponses({ metrics }: Pick<Context, 'metrics'>): RequestHandler {
  return (request, response, next) => {
    const area = areaOf(request.path);
    response.once('finish', () => {
      metrics.count(httpCounters.responses, { area, status: `${Math.floor(response.statusCode / 100)}xx` });
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
