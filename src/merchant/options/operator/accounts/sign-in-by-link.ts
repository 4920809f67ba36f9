// The sign-in with the link that `npm start` prints. Each condition is one more lock: the sandbox is the payment service, so that
// no real money can be moved; the browser is on this machine; there is no account yet, whose password and second factor it would
// pass over; and it has not been used, by any process.

import type { Context } from '../../../platform/context';
import type { SentFrom } from '../../../platform/http/log-fields';
import { bucketOf, countTry } from '../../../platform/limit-store';
import { settingsOf } from '../../../platform/settings';
import { LINK_MINUTES, readSignInLink } from '../../../platform/sign-in-link';
import { operatorSettings } from '../settings';
import { recordSession } from './audit';
import { openPasswordSession } from './session';
import { hasAccounts } from './store';

/** The name recorded with what this operator does. */
const BY = 'npm start';
/** The bucket stays full for longer than the link lives. */
const ONCE = { attempts: 1, seconds: 2 * LINK_MINUTES * 60 };

/** `Set-Cookie` of a new session; null if the link is refused. @throws DatabaseError: nobody is signed in then */
export async function signInByLink(
  context: Context,
  { link, isLocal, sent }: { link: string; isLocal: boolean; sent: SentFrom },
): Promise<string | null> {
  const { config, realClock, logger } = context;
  const passwords = settingsOf(config, operatorSettings).OPERATOR_PASSWORD;
  const read = config.sandboxMode && isLocal ? readSignInLink(passwords, link, realClock.now()) : null;
  const isRefused =
    read === null ||
    (await hasAccounts(context)) ||
    (await countTry(context, [bucketOf(context, 'sign-in-link', ONCE, read.id)])) !== null;
  if (isRefused) {
    logger.warn({ event: 'operator_sign_in_failed', reason: 'link', by: null, ...sent });
    return null;
  }
  const cookie = await openPasswordSession(context, BY, read.password);
  await recordSession(context, 'sign-in', { by: BY, accountId: null, sent }, 'signed_in');
  logger.info({ event: 'operator_signed_in', by: BY, ...sent });
  return cookie;
}
