// What the server counts of any request.

import type { CounterRows } from '../metrics';

export const AREAS = ['webhook', 'api', 'pages', 'probes'] as const;
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
    help: 'Calls of the API without its key, by reason: missing, wrong, too_many (wrong ones of one network).',
    labels: ['reason'],
    fromZero: [{ reason: 'missing' }, { reason: 'wrong' }, { reason: 'too_many' }],
  },
} as const satisfies CounterRows;
