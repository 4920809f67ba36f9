// The Context of the application that serves a request, for code that is handed nothing but the request.

import type { Request } from 'express';
import type { Context } from '../context';

/** `app.ts` puts it there. */
export function contextOf(request: Request): Context {
  return request.app.locals['context'] as Context;
}
