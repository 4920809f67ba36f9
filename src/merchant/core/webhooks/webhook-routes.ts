// POST /webhooks/payments receives the service's notifications (§6). The cheapest checks come first: method, source
// address, content type, size, signature, body. The service is authenticated by its source address (§5.8), and the
// re-fetch is the proof.
//
// The signed form of the newer generation (WEBHOOK_SECRET) passes the address check as well; this is our choice. Its
// address (52.78.5.241, reported) is in the default list, bodies from other addresses stay unread, and a stolen secret
// alone is not enough. If the service changes its addresses, WEBHOOK_SOURCE_CHECK=observe lets signed notifications in.

import type { IncomingMessage, ServerResponse } from 'node:http';
import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import type { Context } from '../../platform/context';
import { DatabaseError } from '../../platform/errors';
import { addLogFields } from '../../platform/http/log-fields';
import { settingsOf } from '../../platform/settings';
import { recordDiscrepancy } from '../discrepancies/report-discrepancy';
import { createHiddenSenderNotice, findHiddenSender, judgeSource, sourceRules } from './judge-source';
import { NOTIFICATION_OUTCOMES, webhookCounters } from './notification-outcomes';
import { parseNotification, type Notification } from './parse-notification';
import { receiveNotification } from './receive-notification';
import { webhookSettings } from './settings';
import {
  BadSignatureError,
  hasSignedForm,
  opensDispute,
  parseSignedNotification,
  verifySignature,
} from './signed-notification';
import { WEBHOOK_PATH } from './webhook-path';

export const CONTENT_TYPES = ['application/json', 'application/x-www-form-urlencoded'];
const BODY_LIMIT = '16kb';
const FORM_PARAMETER_LIMIT = 20;

export function webhookRoutes(context: Context): Router {
  const { clock } = context;
  const router = express.Router({ strict: true, caseSensitive: true });
  const { limitLoad, canCheckNow } = createLoadLimit();
  const bodyOptions = { limit: BODY_LIMIT, inflate: false, verify: checkSignature(context) };

  router.post(
    WEBHOOK_PATH,
    checkSource(context),
    limitLoad,
    checkContentType,
    express.json(bodyOptions),
    express.urlencoded({ ...bodyOptions, extended: false, parameterLimit: FORM_PARAMETER_LIMIT }),
    async (request, response) => {
      const signedId = signedIdOf(response);
      const notification = readNotification(context, request.body, signedId);
      if (notification === 'ignored') return answer(context, response, 200, 'ignored');
      if (!notification || isSwitchedOff(context, notification)) {
        if (notification) addLogFields(response, { reason: 'newer_generation_off' });
        return answer(context, response, 400, 'malformed');
      }
      const { svcUid, merchantUid, claimedStatus } = notification;
      const source = response.locals['source'] as string;
      addLogFields(response, {
        svc_uid: svcUid,
        merchant_uid: merchantUid,
        claimed_status: claimedStatus,
      });
      // The service's records do not show a dispute, so this is the one statement of a notification that counts. It is
      // written first: after a failure here the answer is 503, and the service sends again. The id tells a dispute that
      // is sent again from another one, which reopens a discrepancy that a person has resolved.
      if (opensDispute(notification))
        await recordDiscrepancy(context, notification, {
          kind: 'dispute_opened',
          expected: null,
          actual: signedId,
        });
      const receivedAt = clock.now();
      const incoming = { ...notification, sourceAddress: source, receivedAt, requestId: request.id };
      const outcome = await receiveNotification(context, incoming, { isCheckedNow: canCheckNow() });
      answer(context, response, NOTIFICATION_OUTCOMES[outcome].status, outcome);
    },
  );
  router.all(WEBHOOK_PATH, (_request, response) => {
    response.set('Allow', 'POST').status(405).json({ outcome: 'malformed' });
  });
  router.use(WEBHOOK_PATH, webhookErrors(context));
  return router;
}

function answer({ metrics }: Context, response: Response, status: number, outcome: string): void {
  metrics.count(webhookCounters.notifications, { outcome });
  addLogFields(response, { outcome });
  response.status(status).json({ outcome });
}

/** Called with the raw body, before it is parsed. Without WEBHOOK_SECRET there are no signed notifications. */
function checkSignature({ config, realClock }: Context) {
  const { WEBHOOK_SECRET: secrets } = settingsOf(config, webhookSettings);
  return (request: IncomingMessage, response: ServerResponse, rawBody: Buffer): void => {
    if (secrets === undefined) return;
    const signed = { headers: request.headers, rawBody };
    (response as Response).locals['signedId'] = verifySignature(signed, secrets, realClock.now());
  };
}

/** The id of a notification whose signature was verified; null if it has none. */
const signedIdOf = ({ locals }: Response): string | null =>
  (locals['signedId'] as string | undefined) ?? null;

/**
 * @returns `ignored` if it says nothing about a payment, null if it is malformed
 * @throws BadSignatureError if it has the signed form without a signature
 */
function readNotification(
  { config, service }: Context,
  body: unknown,
  signedId: string | null,
): Notification | 'ignored' | null {
  if (settingsOf(config, webhookSettings).WEBHOOK_SECRET === undefined || !hasSignedForm(body))
    return parseNotification(service.fromWire(body));
  if (signedId === null) throw new BadSignatureError('missing_header');
  return parseSignedNotification(body);
}

type LoadLimits = {
  /** While more than this are in progress, new ones are stored and left to the retry job. */
  checkedAtOnce: number;
  /** While this many are in progress, new ones are refused with 503. */
  inProgress: number;
};

/**
 * Measured with 2,000 notifications a second over 256 connections: checking 200 at once, a
 * process answers all within a few seconds. Checking 256 at once, it would store none without a check, and the last
 * would wait for 25 seconds.
 */
const LOAD_LIMITS: LoadLimits = { checkedAtOnce: 200, inProgress: 1_000 };

/**
 * Limits how many notifications this process handles at once. Their sender does not wait for us: without limits, an
 * overloaded process would take ever longer to answer, also to people and health checks.
 */
export function createLoadLimit({ checkedAtOnce, inProgress }: LoadLimits = LOAD_LIMITS) {
  let count = 0;
  const limitLoad: RequestHandler = (_request, response, next) => {
    if (count >= inProgress) return next(new Error('too many notifications are in progress'));
    count += 1;
    response.once('close', () => (count -= 1));
    next();
  };
  return { limitLoad, canCheckNow: () => count <= checkedAtOnce };
}

/** Without credentials for the newer generation, its payments cannot be fetched. Reconciliation still finds them. */
function isSwitchedOff({ config }: Context, { generation }: Notification): boolean {
  return generation === 'newer' && config.service.newer === null;
}

/** §6.3: accepts only the service's addresses, before the body is read. */
function checkSource(context: Context): RequestHandler {
  const { config, metrics, logger } = context;
  const rules = sourceRules(config);
  const noticeHiddenSender = createHiddenSenderNotice(context);
  return (request, response, next) => {
    const judgement = judgeSource(rules, request.source);
    const { client: source, listed, letIn } = judgement;
    if (!listed) {
      metrics.count(webhookCounters.unlistedSources);
      const { WEBHOOK_SOURCE_CHECK: check } = settingsOf(config, webhookSettings);
      logger.warn({ event: 'webhook_source_not_listed', source, check, request_id: request.id });
      const hidden = findHiddenSender(judgement, rules, request);
      if (hidden) noticeHiddenSender(hidden, request.id);
    }
    if (letIn) {
      response.locals['source'] = source;
      return next();
    }
    // The body stays unread, so the connection cannot serve another request.
    response.set('Connection', 'close').status(403).json({ outcome: 'forbidden' });
  };
}

/** Two content types (§6.3), UTF-8, not compressed. */
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

/**
 * Never answers 500. If the notification was not stored the answer is 503, so that a sender which resends on 5xx does
 * so. An unreadable body is 4xx.
 */
function webhookErrors(context: Context): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    if (error instanceof BadSignatureError) {
      addLogFields(response, { reason: error.reason });
      return answer(context, response, 401, 'bad_signature');
    }
    // Errors of the body parser: too large, wrong encoding, not JSON.
    const { status = 500 } = error as { status?: number };
    if (status < 500) {
      response.status(status).json({ outcome: 'malformed' });
      return;
    }
    context.logger.error({ event: 'notification_not_stored', err: error, request_id: request.id });
    const retryAfter = error instanceof DatabaseError ? 5 : 30;
    response.status(503).set('Retry-After', String(retryAfter)).json({ outcome: 'unavailable' });
  };
}
