// While somebody tests stolen cards, a member passes a check on a page of the shop before each card: a CAPTCHA, or an
// identity check. Copy this file over src/merchant/shop/challenge.ts and change the page, the texts and the statements to
// yours. The shop's page writes into a table in the same PostgreSQL here.

import type { Request } from 'express';
import { contextOf } from '../platform/http/shop-files';

const CHECK_PAGE = 'https://shop.example.com/card-check';

/** What the form shows above its button: HTML. Null: this member is asked for nothing. */
export async function showChallenge(request: Request, memberId: string): Promise<string | null> {
  const passed = await contextOf(request).database.$queryRaw<unknown[]>`
    select from shop_card_checks where member_id = ${memberId} and passed_at > now() - interval '10 minutes'`;
  if (passed.length > 0) return null;
  // A window of its own, so that what was typed into the form stays there.
  return `<p><a href="${CHECK_PAGE}" target="_blank" rel="noopener">본인 확인하기 · Confirm that it is you</a></p>`;
}

/** Whether this post may try its card. One check is good for one card: of two posts at once one deletes the row. */
export async function passesChallenge(request: Request, memberId: string): Promise<boolean> {
  const used = await contextOf(request).database.$executeRaw`
    delete from shop_card_checks where member_id = ${memberId} and passed_at > now() - interval '10 minutes'`;
  return used > 0;
}
