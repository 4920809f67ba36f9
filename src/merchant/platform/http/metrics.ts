// Counts every answer by the part of the server that gave it and by status class.

import type { RequestHandler } from 'express';
import type { Context } from '../context';
import type { CounterRows } from '../metrics';

const AREAS = ['webhook', 'api', 'pages', 'probes'] as const;
const CLASSES = ['2xx', '3xx', '4xx', '5xx'];

export const httpCounters = {
  responses: {
    name: 'merchant_http_responses_total',
    help: 'Answers by area (webhook, api, pages, probes) and class of the status (2xx to 5xx).',
    labels: ['area', 'status'],
    fromZero: AREAS.flatMap((area) => CLASSES.map((status) => ({ area, status }))),
  },
  apiKeysRefused: {
    name: 'merchant_api_keys_refused_total',
    help: 'API calls without the right key, by reason: missing, wrong, too_many (wrong keys from one network), scope (the key lacks it).',
    labels: ['reason'],
    fromZero: [{ reason: 'missing' }, { reason: 'wrong' }, { reason: 'too_many' }, { reason: 'scope' }],
  },
} as const satisfies CounterRows;

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
