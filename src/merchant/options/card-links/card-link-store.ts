// Card links in the database. A row is there until its link is used or has expired, and holds only a hash of the token.

import { randomBytes } from 'node:crypto';
import type { CardLinkPage } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import type { Statements } from '../../platform/database-transaction';
import { hashOfToken } from '../../platform/secrets';

export type CardLink = { memberId: string; page: CardLinkPage; returnUrl: string | null };

/** Documented at `POST /api/members/{member_id}/card-link`. */
const LIFETIME_MS = 10 * 60 * 1000;

/** The token is returned once and stored nowhere. */
export async function createLink(
  { database, realClock }: Context,
  link: CardLink,
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomBytes(32).toString('base64url');
  const expiresAt = new Date(realClock.now().getTime() + LIFETIME_MS);
  await database.cardLink.create({ data: { ...link, tokenHash: hashOfToken(token), expiresAt } });
  return { token, expiresAt };
}

/** Null if it was used, has expired, or never was. */
export async function findLink({ database, realClock }: Context, token: string): Promise<CardLink | null> {
  return database.cardLink.findFirst({
    where: { tokenHash: hashOfToken(token), expiresAt: { gt: realClock.now() } },
    select: { memberId: true, page: true, returnUrl: true },
  });
}

/** Uses the link up, in one statement: of several browsers, one gets it. Null as for `findLink`. */
export async function useLink({ database, realClock }: Context, token: string): Promise<CardLink | null> {
  const [link] = await database.$queryRaw<CardLink[]>`
    delete from card_links where token_hash = ${hashOfToken(token)} and expires_at > ${realClock.now()}::timestamptz
    returning member_id as "memberId", page, return_url as "returnUrl"`;
  return link ?? null;
}

/** Job `delete-card-links`. */
export async function deleteExpiredLinks({ database, realClock }: Context): Promise<void> {
  await database.cardLink.deleteMany({ where: { expiresAt: { lte: realClock.now() } } });
}

export async function hasLinks({ database }: Context, memberId: string): Promise<boolean> {
  return (await database.cardLink.findFirst({ where: { memberId }, select: { page: true } })) !== null;
}

/** @param run the transaction, if there is one */
export async function deleteLinksOf(
  { database }: Context,
  memberId: string,
  run: Statements = database,
): Promise<void> {
  await run.$executeRaw`delete from card_links where member_id = ${memberId}`;
}
