// What the shop's own files say about a request: who the member is that sends it (shop/current-member.ts), and the challenge
// while somebody tests stolen cards (shop/challenge.ts). Tests about everything else put what we ship in their place, so that
// they hold whatever a shop has put there.

import type { Request, Response } from 'express';
import type { Context } from '../context';

export type ShopFiles = {
  /** Resolves to the id of the member, at most 64 characters, or to null for a stranger. */
  currentMember(request: Request): Promise<string | null>;
  /** The same, for a page that needs a member. Null: it has answered the request itself. */
  requireMember(request: Request, response: Response): Promise<string | null>;
  /** Names of settings that your file reads and that are not set. In production the server then does not start. */
  missingSettings?(): string[];
  /** HTML for the form; null where nothing is asked. */
  showChallenge(request: Request, memberId: string): Promise<string | null>;
  /** Whether this post may try its card. */
  passesChallenge(request: Request, memberId: string): Promise<boolean>;
};

export const currentMember: ShopFiles['currentMember'] = (request) => shopOf(request).currentMember(request);

export const requireMember: ShopFiles['requireMember'] = (request, response) =>
  shopOf(request).requireMember(request, response);

export const showChallenge: ShopFiles['showChallenge'] = (request, memberId) =>
  shopOf(request).showChallenge(request, memberId);

export const passesChallenge: ShopFiles['passesChallenge'] = (request, memberId) =>
  shopOf(request).passesChallenge(request, memberId);

/** `app.ts` puts them there. */
function shopOf({ app }: Request): ShopFiles {
  return app.locals['shop'] as ShopFiles;
}

/** The Context of the app that serves a request, for a shop's own file, which is handed nothing but the request. */
export function contextOf({ app }: Request): Context {
  return app.locals['context'] as Context;
}
