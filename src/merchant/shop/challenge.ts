// A file that a shop replaces to add a challenge during card testing: its own question, a CAPTCHA, or a provider's
// identity check (docs/03-guides/8-card-form.md). No other file has to change. By default there is no challenge, and
// the form closes for everybody at the next stage (card-limits.ts).

import type { Request } from 'express';

/**
 * What the form shows above its button: HTML, inserted unescaped, without its own `form`. The content security policy
 * of our pages allows only files of this server. Null: no challenge for this member, for example one with a history of
 * purchases.
 */
export function showChallenge(_request: Request, _memberId: string): Promise<string | null> {
  return Promise.resolve(null);
}

/**
 * Whether this post may try its card. Called before anything is counted or sent; `request.body` has the fields that
 * `showChallenge` added. Return true for a member without a challenge. If it throws, the card is not tried.
 */
export function passesChallenge(_request: Request, _memberId: string): Promise<boolean> {
  return Promise.resolve(true);
}
