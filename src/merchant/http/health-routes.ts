// Liveness, readiness with reasons, and figures. None of them says anything about a member or a payment.

import express, { type Router } from 'express';
import { RequestFault } from '../errors';
import type { Metrics } from '../metrics';
import { parseAddressList, type AddressList } from './address-list';
import { hasApiKey } from './api-key';
import { sourceAddress } from './source-address';

type Dependencies = {
  /** Why no traffic should come, empty when it may. */
  reasonsNotReady: () => Promise<string[]>;
  metrics: Metrics;
  apiKey: string;
  trustedProxies: AddressList;
};

const LOOPBACK = parseAddressList(['127.0.0.0/8', '::1']).list;

export function createHealthRoutes({
  reasonsNotReady,
  metrics,
  apiKey,
  trustedProxies,
}: Dependencies): Router {
  const router = express.Router({ strict: true, caseSensitive: true });

  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });

  router.get('/readyz', async (_request, response) => {
    const reasons = await reasonsNotReady();
    response.status(reasons.length > 0 ? 503 : 200);
    response.json({ status: reasons.length > 0 ? 'not_ready' : 'ready', reasons });
  });

  router.get('/metrics', async (request, response) => {
    const source = sourceAddress(request, trustedProxies);
    const local = source !== null && LOOPBACK.includes(source);
    if (!local && !hasApiKey(request, apiKey))
      throw new RequestFault(401, 'unauthorized', 'Send the API key.');
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return router;
}
