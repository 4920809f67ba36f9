// The webhook in /openapi.json (§6). The payment service calls it, not the merchant's own systems. Its answers contain
// an outcome.

import { z } from 'zod';
import type { RouteDescription } from '../../platform/http/route-description';
import { outcomesAnswered } from './notification-outcomes';
import { WEBHOOK_PATH } from './webhook-path';
import { CONTENT_TYPES } from './webhook-routes';

const legacyBody = z
  .object({
    svc_uid: z
      .string()
      .meta({ description: 'The live service writes its own prefix (SERVICE_NAME_PREFIX).' }),
    merchant_uid: z.string(),
    status: z.string().optional().meta({ description: 'It is not trusted: the payment is re-fetched.' }),
  })
  .meta({ title: 'legacy generation' });
const newerBody = z
  .object({ tx_id: z.string(), payment_id: z.string(), status: z.string().optional() })
  .meta({ title: 'newer generation' });
const signedBody = z
  .object({
    type: z.string().meta({ description: 'Such as `Transaction.Paid`.' }),
    timestamp: z.string(),
    data: z.object({ storeId: z.string(), paymentId: z.string(), transactionId: z.string() }),
  })
  .meta({
    title: 'newer generation, signed',
    description:
      'Signed as Standard Webhooks in the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`; accepted with WEBHOOK_SECRET only.',
  });

const outcome = (words: readonly string[]) => z.strictObject({ outcome: z.enum(words) });

export const webhookDescription: RouteDescription = {
  method: 'post',
  path: WEBHOOK_PATH,
  summary: 'A notification of the payment service',
  description:
    'Of either generation (§6.4), authenticated by its source address (§6.3). It only says which payment to fetch: the fetched payment is verified and stored.',
  access: 'open',
  body: {
    schema: z.union([legacyBody, newerBody, signedBody]),
    contentTypes: CONTENT_TYPES,
    example: { svc_uid: 'svc_20261121a7f3', merchant_uid: 'order-1001', status: 'paid' },
  },
  answers: {
    200: {
      description:
        'Checked, or durably stored and checked later. `ignored`: it says nothing about a payment, and nothing is stored.',
      schema: outcome([...outcomesAnswered(200), 'ignored']),
      example: { outcome: 'recorded' },
    },
    400: {
      description: 'Checked and false, or malformed.',
      schema: outcome([...outcomesAnswered(400), 'malformed']),
    },
    401: {
      description: 'The signed form with a wrong or missing signature, or an old one. Nothing is stored.',
      schema: outcome(['bad_signature']),
    },
    403: { description: 'The source address is not allowed (§6.3).', schema: outcome(['forbidden']) },
    405: { description: 'Another method than POST.', schema: outcome(['malformed']) },
    413: { description: 'Larger than 16 kB.', schema: outcome(['malformed']) },
    415: { description: 'Another content type, charset or encoding.', schema: outcome(['malformed']) },
    503: { description: 'It could not be stored durably; send it again.', schema: outcome(['unavailable']) },
  },
  errors: [],
};
