// Card links. `POST /api/members/{member_id}/card-link` makes one: a shop in any language sends its member to the card
// form, also from another domain or in the web view of an app. Its page then signs the member in.

import { Router } from 'express';
import { z } from 'zod';
import { memberIdField } from '../../core/orders/order-schema';
import type { Context } from '../../platform/context';
import { defineErrors, HttpError } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { parseRequest, strictBody } from '../../platform/http/body-fields';
import { addLogFields } from '../../platform/http/log-fields';
import { methodNotAllowed, pagesOf, readForm, type PageRequest } from '../../platform/http/page-request';
import { ownUrl } from '../../platform/http/path-prefix';
import { getReturnUrl, withReturnUrl } from '../../platform/http/return-url';
import { shopOf } from '../../platform/http/shop-files';
import { linkIn, type Views } from '../../platform/http/views';
import { platformErrors } from '../../platform/platform-errors';
import { CARD_ENTRY } from '../card-form/card-entry';
import { createLink, findLink, useLink } from './card-link-store';
import { en } from './texts.en';
import { ko } from './texts.ko';

const LINK_PATH = '/cards/link';

export const cardLinkErrors = defineErrors({
  card_links_off: {
    status: 409,
    message: 'The sign-in of this server is your own, and knows no card links.',
    remedy:
      'Export signInByLink from src/merchant/shop/current-member.ts, and have currentMember and requireMember know its members (docs/03-guides/11-another-language.md).',
  },
});

const bodySchema = strictBody({
  page: z
    .enum(['register', 'cards'])
    .default('register')
    .meta({ description: '`register`: the card form. `cards`: the list of the member’s cards.' }),
  return_url: z.string().optional().meta({
    description:
      'Where the browser is sent after the registration, with `customer_uid` added; from the list, a link leads there. At an origin that RETURN_URLS names, or a path of this host. Anything else is `return_url_refused`.',
  }),
});

const linkSchema = z
  .strictObject({
    url: z.url().meta({
      description: 'For this member’s browser alone: whoever opens it first is signed in. It is shown once.',
    }),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'CardLink', description: 'A one-time address that signs a member in.' });

export const cardLinkRoutes: ApiRoute[] = [
  apiRoute({
    method: 'post',
    path: '/api/members/{member_id}/card-link',
    scope: 'members',
    summary: 'A one-time address of the card form that signs a member in',
    description:
      'Redirect the member’s browser to `url`, also from another domain or in the web view of an app. The page there has one button; whoever presses it first uses the link up and is signed in as this member for an hour. A link preview that opens the address does not use it up. After ten minutes, or once used, the address answers 410 with a page that sends the member back to you. Ask for a link when the member opens the page, and send it to nobody else.',
    body: bodySchema,
    example: { return_url: '/checkout?order=1001' },
    answers: {
      201: {
        description: 'The link.',
        schema: linkSchema,
        example: {
          url: 'https://cards.example.com/cards/link?token=3q2-7wAB…',
          expires_at: '2026-11-21T03:10:00.000Z',
        },
      },
    },
    errors: [platformErrors.return_url_refused, cardLinkErrors.card_links_off],
    async handle(context, { params, body, incoming }) {
      const { member_id: memberId } = parseRequest(z.object({ member_id: memberIdField }), params);
      if (!shopOf(incoming).signInByLink) throw new HttpError(cardLinkErrors.card_links_off);
      const returnUrl = getReturnUrl(context.config, body.return_url);
      const { token, expiresAt } = await createLink(context, { memberId, page: body.page, returnUrl });
      const url = `${ownUrl(context.config, incoming)}${LINK_PATH}?token=${token}`;
      return { status: 201, body: { url, expires_at: expiresAt.toISOString() } };
    },
  }),
];

/** The page that a link leads to. */
const PAGES = { register: CARD_ENTRY.register, cards: '/cards' } as const;

/**
 * The page of a link. GET shows a button and changes nothing, because messengers and email programs open addresses for a
 * preview; the post uses the link up. That is our choice for "one browser": the one whose button is pressed first. It is
 * also the moment to notice a link that somebody else has sent: a card typed behind it would be theirs. The token is in
 * the query, which no log of ours and no `Referer` holds (security-headers.ts), and the post has it in its body. It needs
 * no form token: whoever has the token could get one. options/card-form/form-routes.ts checks the origin for every page
 * below /cards.
 */
export function cardLinkPages(context: Context, views: Views): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const page = pagesOf(context, views);
  router.get(LINK_PATH, page(showLink));
  router.post(LINK_PATH, ...readForm, page(submitLink));
  router.all(LINK_PATH, methodNotAllowed('GET, HEAD, POST'));
  return router;
}

async function showLink(context: Context, asked: PageRequest): Promise<void> {
  const { request, response, views } = asked;
  const token = tokenIn(request.query);
  const link = token === null ? null : await findLink(context, token);
  if (token === null || link === null) return sendEnded(asked);
  views.send(request, response, {
    status: 200,
    template: 'card-links/link',
    texts: { ko, en },
    title: ({ cardLink }) => cardLink.pages[link.page].title,
    path: `${LINK_PATH}?token=${token}`,
    data: { page: link.page, action: LINK_PATH, token },
  });
}

async function submitLink(context: Context, asked: PageRequest): Promise<void> {
  const { request, response } = asked;
  const token = tokenIn(request.body);
  const { signInByLink } = shopOf(request);
  if (token === null || !signInByLink) return sendEnded(asked);
  const link = await useLink(context, token);
  if (link === null) return sendEnded(asked);
  await signInByLink(request, response, link.memberId);
  addLogFields(response, { outcome: 'link_used' });
  response.redirect(303, linkIn(request, withReturnUrl(PAGES[link.page], link.returnUrl)));
}

/**
 * Used, expired and unknown links have one page, so that it tells nothing about a guessed token. `isSignedIn` is for a
 * button that was pressed twice, and for a page that was reloaded: the first answer has signed this browser in.
 */
async function sendEnded({ request, response, views }: PageRequest): Promise<void> {
  const isSignedIn = (await shopOf(request).currentMember(request)) !== null;
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
