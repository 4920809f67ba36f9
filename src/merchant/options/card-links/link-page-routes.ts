// The page of a card link. GET shows a button and changes nothing, because messengers and mail programs open addresses
// for a preview; the post uses the link up. That is our choice for "one browser": the one whose button is pressed
// first. It is also the moment to notice a link that somebody else has sent: a card typed behind it would be theirs.
// The token is in the query, which no log of ours and no `Referer` holds (security-headers.ts), and the post has it in
// its body. It needs no form token: whoever has the token could get one.

import { Router } from 'express';
import type { Context } from '../../platform/context';
import { originCheck } from '../../platform/http/origin-check';
import { addLogFields } from '../../platform/http/request-log';
import { withReturnUrl } from '../../platform/http/return-url';
import { canSignInByLink, currentMember, signInByLink } from '../../platform/http/shop-files';
import { linkIn, type Views } from '../../platform/http/views';
import { methodNotAllowed, pagesOf, readForm, type Visit } from '../../platform/http/visit';
import { findLink, useLink } from './card-link-store';
import { en } from './texts.en';
import { ko } from './texts.ko';

export const LINK_PATH = '/cards/link';

/** The page that a link leads to. */
const PAGES = { register: '/cards/new', cards: '/cards' } as const;

export function cardLinkPages(context: Context, views: Views): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const page = pagesOf(context, views);
  router.use(LINK_PATH, originCheck(context.config));
  router.get(LINK_PATH, page(showLink));
  router.post(LINK_PATH, ...readForm, page(submitLink));
  router.all(LINK_PATH, methodNotAllowed('GET, HEAD, POST'));
  return router;
}

async function showLink(context: Context, visit: Visit): Promise<void> {
  const { request, response, views } = visit;
  const token = tokenIn(request.query);
  const link = token === null ? null : await findLink(context, token);
  if (token === null || link === null) return sendEnded(visit);
  views.send(request, response, {
    status: 200,
    template: 'card-links/link',
    texts: { ko, en },
    title: ({ cardLink }) => cardLink.pages[link.page].title,
    path: `${LINK_PATH}?token=${token}`,
    data: { page: link.page, action: LINK_PATH, token },
  });
}

async function submitLink(context: Context, visit: Visit): Promise<void> {
  const { request, response } = visit;
  const token = tokenIn(request.body);
  if (token === null || !canSignInByLink(request)) return sendEnded(visit);
  const link = await useLink(context, token);
  if (link === null) return sendEnded(visit);
  await signInByLink(request, response, link.memberId);
  addLogFields(response, { outcome: 'link_used' });
  response.redirect(303, linkIn(request, withReturnUrl(PAGES[link.page], link.returnUrl)));
}

/**
 * Used, expired and unknown links have one page, so that it tells nothing about a guessed token. `isSignedIn` is for a
 * button that was pressed twice, and for a page that was reloaded: the first answer has signed this browser in.
 */
async function sendEnded({ request, response, views }: Visit): Promise<void> {
  const isSignedIn = (await currentMember(request)) !== null;
  addLogFields(response, { outcome: 'link_ended' });
  views.send(request, response, {
    status: 410,
    template: 'card-links/link-ended',
    texts: { ko, en },
    title: ({ cardLink }) => cardLink.ended.title,
    isError: true,
    path: LINK_PATH,
    data: { isSignedIn },
  });
}

/** Null if it cannot be one. */
function tokenIn(fields: unknown): string | null {
  const { token } = (fields ?? {}) as { token?: unknown };
  return typeof token === 'string' && /^[\w-]{43}$/.test(token) ? token : null;
}
