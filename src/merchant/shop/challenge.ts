// A file that a shop replaces to ask for a challenge while somebody tests stolen cards with the card form: a question of its
// own, a CAPTCHA, or the identity check of a provider (docs/03-guides/8-card-testing.md). Nothing else has to change. As shipped no
// challenge is configured: nothing is asked, and the form closes for everybody at the next stage (card-limits.ts).

import type { Request } from 'express';

/**
 * What the form shows above its button: HTML that is put in as it is, without a `form` of its own. The content policy of our
 * pages allows files of this server alone. Null: this member is asked for nothing, such as one with a history of purchases.
 */
export function showChallenge(_request: Request, _memberId: string): Promise<string | null> {
  return Promise.resolve(null);
}

/**
 * Whether this post may try its card. It is asked before anything is counted or sent; `request.body` has the fields that
 * `showChallenge` has put in. Whoever is asked for nothing passes. An error that is thrown lets nobody pass.
 */
export function passesChallenge(_request: Request, _memberId: string): Promise<boolean> {
  return Promise.resolve(true);
}
