// Who may see the operator pages: a signed-in operator, or the one whom the proxy names.

import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { Config } from '../../../platform/config';
import type { Context } from '../../../platform/context';
import { HttpError } from '../../../platform/errors';
import { addLogFields } from '../../../platform/http/log-fields';
import { linkIn } from '../../../platform/http/views';
import { settingsOf } from '../../../platform/settings';
import type { SignedIn } from '../frame/roles';
import { operatorSettings } from '../settings';
import { accountErrors } from './errors';
import { OWN_PATH } from './own-account-page';
import { ACCOUNTS_PATH } from './pages';
import { findOperator } from './session';
import { findAccount } from './store';

const SIGN_OUT_PATH = '/operator/sign-out';

/** @param refuse answers a request of nobody; the default without a proxy that signs in */
export function requireOperator(
  context: Context,
  refuse: (request: Request, response: Response) => void,
): RequestHandler {
  const { config } = context;
  const header = settingsOf(config, operatorSettings).OPERATOR_IDENTITY_HEADER ?? null;
  return async (request, response, next) => {
    const operator =
      header === null
        ? await findOperator(context, request.headers.cookie)
        : await findNamedOperator(context, request, header);
    if (operator === null) {
      addLogFields(response, { outcome: 'signed_out' });
      if (header !== null) throw new HttpError(accountErrors.operator_unknown);
      return refuse(request, response);
    }
    response.locals['operator'] = operator;
    const missing = missingFirst(config, operator, request.baseUrl + request.path);
    if (missing === null) return next();
    if (!isRead(request)) throw new HttpError(accountErrors[missing]);
    response.redirect(303, linkIn(request, missing === 'account_missing' ? ACCOUNTS_PATH : OWN_PATH));
  };
}

/**
 * The operator whom a proxy in front has signed in (OPERATOR_IDENTITY_HEADER). The header is believed only if the request
 * comes directly from one of TRUSTED_PROXIES, which must remove the header from what browsers send.
 * @returns null if it does not, or the header is missing, or names no enabled account
 * @throws DatabaseError
 */
async function findNamedOperator(
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

/** Null if nobody is signed in. */
export function operatorOf({ locals }: Response): SignedIn | null {
  return (locals['operator'] as SignedIn | undefined) ?? null;
}

export function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * What an operator has to do before anything else: on the own page change a password that was generated, and in production
 * set up the second factor; in production with OPERATOR_PASSWORD, make the first account, which is all that it does. A
 * proxy checks its own.
 */
export function missingFirst(
  { production }: Pick<Config, 'production'>,
  { accountId, hasSecondFactor, mustChangePassword, session }: Omit<SignedIn, 'by' | 'role'>,
  path: string,
): 'account_missing' | 'password_temporary' | 'second_factor_missing' | null {
  if (accountId === null && production)
    return path === ACCOUNTS_PATH || path === SIGN_OUT_PATH ? null : 'account_missing';
  const isOpen = path === OWN_PATH || path.startsWith(`${OWN_PATH}/`) || path === SIGN_OUT_PATH;
  if (isOpen || accountId === null || session === null) return null;
  if (mustChangePassword) return 'password_temporary';
  return production && !hasSecondFactor ? 'second_factor_missing' : null;
}
