// The merchant's own systems identify themselves with `Authorization: Bearer <API_KEY>`.

import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { HttpError } from '../errors';

/** Whether a request carries the key; compared in constant time. */
export function hasApiKey(request: Request, apiKey: string): boolean {
  const given = /^Bearer ([^\s]+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return given !== undefined && timingSafeEqual(digest(given), digest(apiKey));
}

export function requireApiKey(apiKey: string): RequestHandler {
  return (request, response, next) => {
    if (hasApiKey(request, apiKey)) return next();
    response.set('WWW-Authenticate', 'Bearer');
    throw new HttpError('unauthorized');
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
