// Operators whom a proxy in front has signed in (OPERATOR_IDENTITY_HEADER): the header names an account. It is believed
// only if the request comes directly from one of TRUSTED_PROXIES, which must remove the header from what browsers send.

import type { IncomingMessage } from 'node:http';
import type { Context } from '../../platform/context';
import { findAccount } from './account-store';
import type { SignedIn } from './operator-session';

/** Null: the header is not from a trusted proxy, is missing, or names no enabled account. @throws DatabaseError */
export async function findNamedOperator(
  context: Context,
  request: IncomingMessage,
  header: string,
): Promise<SignedIn | null> {
  if (!request.source.trusted) return null;
  const names = request.headersDistinct[header.toLowerCase()] ?? [];
  // Of two headers, one may be the browser's.
  const [name] = names;
  if (name === undefined || names.length > 1) return null;
  // Node reads header bytes as Latin-1; proxies send UTF-8.
  const account = await findAccount(context, { name: Buffer.from(name, 'latin1').toString('utf8') });
  if (!account || account.disabledAt !== null) return null;
  return {
    by: account.name,
    role: account.role,
    accountId: account.id,
    hasSecondFactor: account.totpSecret !== null,
    mustChangePassword: false,
    session: null,
  };
}
