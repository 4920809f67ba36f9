// A shop's own sign-in page on localhost, as docs/03-guides/1-own-sign-in.md describes it: it keeps its sessions in a table of
// its own, sets the cookie of the session, and redirects the browser back.

import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startHttpServer, type HttpServer } from '../../../test/support/http-server';
import type { Rows } from '../../../test/support/rows';

const TABLE = `create table shop_sessions (
  token_sha256 text primary key, member_id text not null, expires_at timestamptz not null)`;
const ADD = `insert into shop_sessions (token_sha256, member_id, expires_at) values ($1, $2, now() + interval '1 hour')`;

/** @param isOurs whether the browser may be sent back to this origin */
export async function startShopSignIn(rows: Rows, isOurs: (origin: string) => boolean): Promise<HttpServer> {
  await rows.query(TABLE);
  const server = await startHttpServer((request, response) => void answer(request, response));
  // Where the merchant is, cookies are of one host.
  return { ...server, url: server.url.replace('127.0.0.1', 'localhost') };

  /** In place of `?member=` a real page would ask for a password. */
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const returnTo = searchParams.get('return_to') ?? '';
    if (pathname !== '/sign-in' || !URL.canParse(returnTo) || !isOurs(new URL(returnTo).origin))
      return void response.writeHead(400).end();
    const member = searchParams.get('member') ?? '';
    const token = randomBytes(18).toString('base64url');
    await rows.query(ADD, [createHash('sha256').update(token).digest('hex'), member]);
    response
      .writeHead(303, {
        location: returnTo,
        'set-cookie': `shop_session=${token}; Path=/; HttpOnly; SameSite=Lax`,
      })
      .end();
  }
}
