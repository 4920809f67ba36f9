// The answer to a form that a stranger posted: the session ended while the form was open, or cookies are off. Nothing of the
// form was used, and the page leads to where the member signs in and gets a new one.

import { isCustomerUid } from '../../payment-service/identifiers';
import type { Context } from '../../platform/context';
import { parseReturnUrl, withReturnUrl } from '../../platform/http/return-url';
import type { Page } from '../../platform/http/views';
import { en } from './texts.en';
import { ko, type CardTexts } from './texts.ko';
import type { PostedForm } from './verify-form';

/** 403 as for a forged form: whose form it was cannot be told without its member. */
export function signedOutPage({ config }: Context, posted: Omit<PostedForm, 'memberId'>): Page<CardTexts> {
  // The signature cannot be checked without the member, but the address is judged again before the new form takes it.
  const { return_url: named } = (posted.body ?? {}) as { return_url?: unknown };
  const openAgain = withReturnUrl(pageOf(posted), parseReturnUrl(config, named));
  return {
    status: 403,
    template: 'cards/signed-out',
    texts: { ko, en },
    title: ({ signedOut }) => signedOut.title,
    isError: true,
    path: openAgain,
    data: { openAgain },
  };
}

/** The page on which the form stands. */
function pageOf({ purpose, pathCustomerUid }: Omit<PostedForm, 'memberId'>): string {
  if (purpose === 'register') return '/cards/new';
  // What is no customer_uid does not go into a link.
  return purpose === 'replace' && isCustomerUid(pathCustomerUid)
    ? `/cards/${pathCustomerUid}/replace`
    : '/cards';
}
