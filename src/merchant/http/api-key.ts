// The merchant's own systems identify themselves with `Authorization: Bearer <API_KEY>`.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { HttpError } from '../errors';
import type { Secrets } from '../secrets';

/** Whether a request carries one of the keys; each is compared in constant time. */
export function hasApiKey(request: Request, apiKeys: Secrets): boolean {
  const given = /^Bearer ([^\s]+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return given !== undefined && apiKeys.some((apiKey) => timingSafeEqual(digest(given), digest(apiKey)));
}

export function requireApiKey(apiKeys: Secrets): RequestHandler {
  return (request, _response, next) => {
    if (hasApiKey(request, apiKeys)) return next();
    throw new HttpError('unauthorized');
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
