// POST /webhooks/payments: where the service notifies us (§6). The order of the checks is the order in which they
// cost: method, source address, content type, size, body. No signature is looked for: the service authenticates by
// source address (§5.8), and the re-fetch is the proof.

import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Router } from 'express';
import type { Clock } from '../clock';
import { DatabaseFault } from '../errors';
import type { AddressList } from '../http/address-list';
import { errorAnswer } from '../http/error-answer';
import { noteForLog } from '../http/request-log';
import { sourceAddress } from '../http/source-address';
import type { Logger } from '../logger';
import { parseNotification } from './notification-body';
import type { NotificationOutcome } from './notification';
import type { ReceiveNotification } from './receive-notification';

const PATH = '/webhooks/payments';
const BODY_LIMIT = '16kb';
const CONTENT_TYPES = ['application/json', 'application/x-www-form-urlencoded'];
const FORM_PARAMETER_LIMIT = 20;

type Dependencies = {
  receiveNotification: ReceiveNotification;
  /** Turns the names of the wire into those of the document. */
  fromWire: (body: unknown) => unknown;
  allowedSources: AddressList;
  trustedProxies: AddressList;
  /** `observe` lets an unlisted source through, and says so. */
  sourceCheck: 'enforce' | 'observe';
  onUnlistedSource: () => void;
  onOutcome: (outcome: NotificationOutcome | 'malformed') => void;
  clock: Clock;
  logger: Logger;
};

export function createWebhookRoutes(dependencies: Dependencies): Router {
  const { receiveNotification, fromWire, onOutcome, clock, logger } = dependencies;
  const router = express.Router({ strict: true, caseSensitive: true });

  router.post(
    PATH,
    checkSource(dependencies),
    checkContentType,
    express.json({ limit: BODY_LIMIT, inflate: false }),
    express.urlencoded({
      limit: BODY_LIMIT,
      inflate: false,
      extended: false,
      parameterLimit: FORM_PARAMETER_LIMIT,
    }),
    async (request, response) => {
      const notification = parseNotification(fromWire(request.body));
      if (!notification) {
        onOutcome('malformed');
        noteForLog(response, { outcome: 'malformed' });
        response.status(400).json({ outcome: 'malformed' });
        return;
      }
      const { svcUid, merchantUid, claimedStatus } = notification;
      const source = response.locals['source'] as string;
      noteForLog(response, {
        svc_uid: svcUid,
        merchant_uid: merchantUid,
        claimed_status: claimedStatus,
        source,
      });
      const outcome = await receiveNotification({
        ...notification,
        sourceAddress: source,
        receivedAt: clock.now(),
      });
      onOutcome(outcome);
      noteForLog(response, { outcome });
      response.status(statusOf(outcome)).json({ outcome });
    },
  );
  router.all(PATH, (_request, response) => {
    response.set('Allow', 'POST').status(405).json({ outcome: 'malformed' });
  });
  router.use(PATH, webhookErrors(logger));
  return router;
}

/** Success is 200 (§6.5 does not show it); what was checked and is false is 400, as in the examples of §7.3. */
function statusOf(outcome: NotificationOutcome): 200 | 400 {
  switch (outcome) {
    case 'recorded':
    case 'unchanged':
    case 'test':
    case 'queued':
      return 200;
    case 'amount_mismatch':
    case 'currency_mismatch':
    case 'order_mismatch':
    case 'unknown_order':
    case 'unknown_payment':
      return 400;
  }
}

/** §6.3: only the service's addresses are let in, before the body is read. */
function checkSource(dependencies: Dependencies): RequestHandler {
  const { allowedSources, trustedProxies, sourceCheck, onUnlistedSource, logger } = dependencies;
  return (request, response, next) => {
    const source = sourceAddress(request, trustedProxies);
    if (source !== null && allowedSources.includes(source)) {
      response.locals['source'] = source;
      return next();
    }
    onUnlistedSource();
    logger.warn({ event: 'webhook_source_not_listed', source, check: sourceCheck, requestId: request.id });
    if (sourceCheck === 'enforce' || source === null) {
      // The body stays unread, so the connection cannot serve another request.
      response.set('Connection', 'close').status(403).json({ outcome: 'forbidden' });
      return;
    }
    response.locals['source'] = source;
    next();
  };
}

/** Two content types (§6.3), in UTF-8, not compressed. */
const checkContentType: RequestHandler = (request, response, next) => {
  const { type, charset } = contentType(request);
  if (CONTENT_TYPES.includes(type) && (charset === null || charset === 'utf-8' || charset === 'utf8'))
    return next();
  response.set('Connection', 'close').status(415).json({ outcome: 'malformed' });
};

function contentType(request: Request): { type: string; charset: string | null } {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.map((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1]);
  return { type: type.trim(), charset: charset.find((value) => value !== undefined) ?? null };
}

/** Never 500: what was not noted is 503, so that a sender which resends on 5xx does so; what cannot be read is 4xx. */
function webhookErrors(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    const answer = errorAnswer(error);
    if (answer.status < 500) {
      response.status(answer.status).json({ outcome: 'malformed' });
      return;
    }
    logger.error({ event: 'notification_not_noted', err: error, requestId: request.id });
    const retryAfter = error instanceof DatabaseFault ? 5 : 30;
    response.status(503).set('Retry-After', String(retryAfter)).json({ outcome: 'unavailable' });
  };
}
