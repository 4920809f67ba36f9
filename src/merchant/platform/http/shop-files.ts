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
    | ((request: Request, response: Response, memberId: string) => Promise<void> | void)
    | undefined;
  /** Names of settings that your file reads and that are not set. In production the server then refuses to start. */
  missingSettings?(): string[];
  /** HTML for the form; null if there is no challenge. */
  showChallenge(request: Request, memberId: string): Promise<string | null>;
  /** Whether this post may try its card. */
  passesChallenge(request: Request, memberId: string): Promise<boolean>;
};

/** Those of the app that serves a request; `app.ts` sets them. */
export function shopOf({ app }: Request): ShopFiles {
  return app.locals['shop'] as ShopFiles;
}

/** The Context of the app that serves a request, for a shop's own file, which gets only the request. */
export function contextOf({ app }: Request): Context {
  return app.locals['context'] as Context;
}
