// Routes for the people and programs that run the merchant.

import { z } from 'zod';
import type { RouteDescription } from './route-description';

const readiness = z.strictObject({
  status: z.enum(['ready', 'not_ready']),
  reasons: z.array(z.string()).meta({ description: 'Why no traffic should come; empty when it may.' }),
});

export const operationDescriptions: RouteDescription[] = [
  {
    method: 'get',
    path: '/healthz',
    summary: 'Whether the process lives',
    access: 'open',
    answers: { 200: { description: 'It does.', schema: z.strictObject({ status: z.literal('ok') }) } },
    errors: [],
  },
  {
    method: 'get',
    path: '/readyz',
    summary: 'Whether traffic may come',
    access: 'open',
    answers: {
      200: { description: 'It may.', schema: readiness },
      503: { description: 'It may not.', schema: readiness },
    },
    errors: [],
  },
  {
    method: 'get',
    path: '/metrics',
    summary: 'Figures for Prometheus; from loopback, or with the key',
    access: 'key',
    answers: { 200: { description: 'The figures.', schema: z.string(), contentType: 'text/plain' } },
    errors: ['unauthorized'],
  },
  {
    method: 'get',
    path: '/openapi.json',
    summary: 'This description',
    access: 'open',
    answers: {
      200: {
        description: 'An OpenAPI 3.1 document.',
        schema: z.looseObject({ openapi: z.literal('3.1.0'), paths: z.record(z.string(), z.unknown()) }),
      },
    },
    errors: [],
  },
];
