// Who is signed in, by the shop's own sessions. Copy this file over src/merchant/shop/current-member.ts and change the
// statement, the name of the cookie and the sign-in page to yours. The sessions stand in the same PostgreSQL here.

import { createHash } from 'node:crypto';
import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';
import { Pool } from 'pg';
import { DatabaseError } from '../platform/errors';
import { contextOf } from '../platform/http/shop-files';

const SESSION_COOKIE = 'shop_session';
const FIND_MEMBER = 'select member_id from shop_sessions where token_sha256 = $1 and expires_at > now()';

/** Resolves to the member's id, at most 64 characters, or to null if the request has no member. */
export async function currentMember(request: Request): Promise<string | null> {
  const token = parseCookie(request.headers.cookie ?? '')[SESSION_COOKIE];
  if (token === undefined) return null;
  // The table holds hashes, so that nobody who reads it can take over a session.
  const hash = createHash('sha256').update(token).digest('hex');
  try {
    const { rows } = await sessionsOf(request).query<{ member_id: string }>(FIND_MEMBER, [hash]);
    return rows[0]?.member_id ?? null;
  } catch (error) {
    // The page then says that it is not possible now. A member is not taken for a stranger.
    throw new DatabaseError((error as { code?: string }).code ?? 'shop_sessions');
  }
}

/**
 * The same, for a page that needs a member. Null means that the browser was sent to the sign-in, with the address to
 * return to: the sign-in sends it back there, and checks before that the address is one of this server.
 */
export async function requireMember(request: Request, response: Response): Promise<string | null> {
  const memberId = await currentMember(request);
  if (memberId !== null) return memberId;
  const { publicOrigin } = contextOf(request).config;
  // PUBLIC_URL is set in production; elsewhere it is the address that the browser has used.
  const origin = publicOrigin ?? `http://${request.headers.host}`;
  const signIn = new URL(process.env['SIGN_IN_PAGE'] ?? 'http://localhost:8080/sign-in');
  signIn.searchParams.set('return_to', `${origin}${request.originalUrl}`);
  response.redirect(303, signIn.href);
  return null;
}

/** In production the server does not start while one is not set: no buyer is sent to an address of a developer's machine. */
export function missingSettings(): string[] {
  return process.env['SIGN_IN_PAGE'] ? [] : ['SIGN_IN_PAGE'];
}

let sessions: Pool | undefined;

function sessionsOf(request: Request): Pool {
  if (sessions) return sessions;
  const connectionString = contextOf(request).config.databaseUrl;
  sessions = new Pool({ connectionString, max: 5, connectionTimeoutMillis: 2500, query_timeout: 2500 });
  // Without a listener, a connection that breaks while nobody uses it would end the process.
  sessions.on('error', () => undefined);
  return sessions;
}
