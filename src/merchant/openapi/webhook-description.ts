// The webhook (§6): called by the payment service, not by the merchant's own systems. Its answers carry an outcome.

import { z } from 'zod';
import type { RouteDescription } from './route-description';

const legacyBody = z.object({
  svc_uid: z.string().meta({ description: 'The live service writes its own prefix (SERVICE_NAME_PREFIX).' }),
  merchant_uid: z.string(),
  status: z.string().optional().meta({ description: 'A hint that nobody believes.' }),
});
const newerBody = z.object({ tx_id: z.string(), payment_id: z.string(), status: z.string().optional() });

const outcome = <const Words extends readonly string[]>(...words: Words) =>
  z.strictObject({ outcome: z.enum(words) });

export const webhookDescription: RouteDescription = {
  method: 'post',
  path: '/webhooks/payments',
  summary: 'A notification of either generation, let in by its source address',
  access: 'open',
  body: {
    schema: z.union([legacyBody, newerBody]),
    contentTypes: ['application/json', 'application/x-www-form-urlencoded'],
  },
  answers: {
    200: {
      description: 'Checked, or durably noted and checked by us later.',
      schema: outcome('recorded', 'unchanged', 'test', 'queued'),
    },
    400: {
      description: 'Checked and false, or malformed.',
      schema: outcome(
        'amount_mismatch',
        'currency_mismatch',
        'order_mismatch',
        'unknown_order',
        'unknown_payment',
        'malformed',
      ),
    },
    403: { description: 'The source address is not allowed (§6.3).', schema: outcome('forbidden') },
    405: { description: 'Another method than POST.', schema: outcome('malformed') },
    413: { description: 'Larger than 16 kB.', schema: outcome('malformed') },
    415: { description: 'Another content type, charset or encoding.', schema: outcome('malformed') },
    503: { description: 'It could not be noted durably; send it again.', schema: outcome('unavailable') },
  },
  errors: [],
};
