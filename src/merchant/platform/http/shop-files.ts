// The interface of the shop's own files: who the member of a request is (shop/current-member.ts), and the challenge
// during card testing (shop/challenge.ts). Tests of other parts use the files that we ship, so that they pass whatever
// the shop's files do.

import type { Request, Response } from 'express';
import type { Context } from '../context';

export type ShopFiles = {
  /** Resolves to the member's id, at most 64 characters, or to null if the request has no member. */
  currentMember(request: Request): Promise<string | null>;
  /** The same, for a page that needs a member. Null: this function has answered the request. */
  requireMember(request: Request, response: Response): Promise<string | null>;
  /**
   * Signs the browser in as the member of a card link, so that the two functions above know it afterwards. Absent in a
   * sign-in of your own that has no card links.
   */
  signInByLink?:
    ((request: Request, response: Response, memberId: string) => Promise<void> | void) | undefined;
  /** Names of settings that your file reads and that are not set. In production the server then refuses to start. */
  missingSettings?(): string[];
  /** HTML for the form; null if there is no challenge. */
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

export const canSignInByLink = (request: Request): boolean => shopOf(request).signInByLink !== undefined;

/** Only if `canSignInByLink`. */
export const signInByLink = async (...visit: Parameters<NonNullable<ShopFiles['signInByLink']>>) =>
  shopOf(visit[0]).signInByLink?.(...visit);

/** `app.ts` sets them. */
function shopOf({ app }: Request): ShopFiles {
  return app.locals['shop'] as ShopFiles;
}

/** The Context of the app that serves a request, for a shop's own file, which gets only the request. */
export function contextOf({ app }: Request): Context {
  return app.locals['context'] as Context;
}
