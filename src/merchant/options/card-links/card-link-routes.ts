// POST /api/members/{member_id}/card-link: a shop in any language sends its member to the card form, also from another
// domain or in the web view of an app.

import { z } from 'zod';
import { memberIdField } from '../../core/orders/order-schema';
import { defineErrors, HttpError } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { parseRequest, strictBody } from '../../platform/http/body-fields';
import { ownUrl } from '../../platform/http/path-prefix';
import { getReturnUrl } from '../../platform/http/return-url';
import { canSignInByLink } from '../../platform/http/shop-files';
import { platformErrors } from '../../platform/platform-errors';
import { createLink } from './card-link-store';
import { LINK_PATH } from './link-page-routes';

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
      if (!canSignInByLink(incoming)) throw new HttpError(cardLinkErrors.card_links_off);
      const returnUrl = getReturnUrl(context.config, body.return_url);
      const { token, expiresAt } = await createLink(context, { memberId, page: body.page, returnUrl });
      const url = `${ownUrl(context.config, incoming)}${LINK_PATH}?token=${token}`;
      return { status: 201, body: { url, expires_at: expiresAt.toISOString() } };
    },
  }),
];
