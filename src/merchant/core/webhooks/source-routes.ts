// GET /api/source-address: which sender address the server sees, and whether the webhook would accept it. `npm run
// doctor` calls it through PUBLIC_URL. The request is not stored, counted or logged as a refusal.

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { settingsOf } from '../../platform/settings';
import { judgeSource, sourceRules } from './judge-source';
import { webhookSettings } from './settings';
import { countMisdirected } from './wrong-path-routes';

/** Identifies this process, so that a caller can tell whether two addresses lead to the same one. */
const INSTANCE = randomUUID();

export const sourceAnswerSchema = z
  .strictObject({
    peer: z.string().nullable().meta({ description: 'Address of the connection.' }),
    trusted: z.boolean().meta({ description: 'Whether the peer is one of TRUSTED_PROXIES.' }),
    forwarded_for: z.array(z.string().nullable()).meta({
      description: '`X-Forwarded-For` from left to right; null for a value that is not a plain address.',
    }),
    client: z.string().nullable().meta({ description: 'The address that counts as the sender.' }),
    host: z.string().meta({ description: 'The `Host` header as it arrived.' }),
    webhook: z
      .enum(['let_in', 'refused'])
      .meta({ description: 'What the webhook does with a notification from this sender.' }),
    source_check: z.enum(['enforce', 'observe']),
    misdirected: z.number().meta({
      description: 'Posts from listed addresses to other paths than the webhook since the process started.',
    }),
    instance: z.string().meta({ description: 'The process that answered; it changes with a restart.' }),
  })
  .meta({ id: 'SourceAddress', description: 'The sender of a request, as the server sees it.' });

export type SourceAnswer = z.output<typeof sourceAnswerSchema>;

export const sourceRoutes: ApiRoute[] = [
  apiRoute({
    method: 'get',
    path: '/api/source-address',
    scope: 'read',
    summary: 'The sender of this request, as the server sees it',
    description:
      'Shows whether the reverse proxy is in TRUSTED_PROXIES and passes on the address of the sender. Otherwise every notification is refused (§6.3). `npm run doctor` uses it.',
    answers: {
      200: {
        description: 'What was seen.',
        schema: sourceAnswerSchema,
        example: {
          peer: '10.0.0.7',
          trusted: true,
          forwarded_for: ['203.0.113.7'],
          client: '203.0.113.7',
          host: 'shop.example.com',
          webhook: 'refused',
          source_check: 'enforce',
          misdirected: 0,
          instance: '5f0c7a52-6a0e-4a55-9b57-0c2f4a5d1e11',
        },
      },
    },
    handle(context, { incoming }) {
      const { config } = context;
      const { peer, trusted, forwardedFor, client, letIn } = judgeSource(
        sourceRules(config),
        incoming.source,
      );
      const body: SourceAnswer = {
        peer,
        trusted,
        forwarded_for: forwardedFor,
        client,
        host: incoming.headers.host ?? '',
        webhook: letIn ? 'let_in' : 'refused',
        source_check: settingsOf(config, webhookSettings).WEBHOOK_SOURCE_CHECK,
        misdirected: countMisdirected(context),
        instance: INSTANCE,
      };
      return Promise.resolve({ body });
    },
  }),
];
