// Notices a notification that was sent to a wrong path: a listed sender posts to anything but the webhook. The answer is
// that of the path, mostly a 404, which nobody sees at the service.

import type { RequestHandler } from 'express';
import { stateOf, type Context } from '../../platform/context';
import { isOutsidePrefix } from '../../platform/http/path-prefix';
import { loggedPath } from '../../platform/http/request-log';
import { createQuietNotice } from '../../platform/quiet-notice';
import { judgeSource, sourceRules } from './judge-source';
import { webhookCounters } from './notification-outcomes';
import { WEBHOOK_PATH, webhookUrl } from './webhook-path';

const createCount = () => ({ misdirected: 0 });

/** Posts of listed senders to wrong paths since this process started. For `npm run doctor`. */
export const countMisdirected = (context: Context): number => stateOf(context, createCount).misdirected;

/** Before the routes, also for a path outside PATH_PREFIX. */
export function noticeMisdirected(context: Context): RequestHandler {
  const { publicUrl, pathPrefix } = context.config;
  const rules = sourceRules(context.config);
  const notice = createQuietNotice(context);
  return (request, response, next) => {
    const isOurs = request.path === WEBHOOK_PATH && !isOutsidePrefix(response);
    if (request.method === 'POST' && !isOurs && judgeSource(rules, request.source).listed) {
      stateOf(context, createCount).misdirected += 1;
      context.metrics.count(webhookCounters.misdirected);
      notice((times) =>
        context.logger.warn({
          event: 'webhook_wrong_path',
          path: loggedPath(request),
          source: request.source.client,
          fix: `Set the endpoint URL in the console of the payment service to ${webhookUrl(publicUrl ?? pathPrefix)}, and have the proxy pass on that path unchanged.`,
          request_id: request.id,
          times,
        }),
      );
    }
    next();
  };
}
