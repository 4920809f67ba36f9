// POST /api/members/{member_id}/billing-key-requests: what a shop calls before it opens the payment window.

import { z } from 'zod';
import { CARDS_HELD } from '../../core/billing-keys/billing-key-store';
import { chargeErrors } from '../../core/charges/charge-response';
import { memberIdField, merchantUidField, orderErrors } from '../../core/orders/order-schema';
import { PG } from '../../payment-service/identifiers';
import { defineErrors, HttpError } from '../../platform/errors';
import { apiRoute, type ApiRoute } from '../../platform/http/api-route';
import { parseRequest, strictBody } from '../../platform/http/body-fields';
import { ownUrl } from '../../platform/http/path-prefix';
import { getReturnUrl } from '../../platform/http/return-url';
import { platformErrors } from '../../platform/platform-errors';
import { requestKey } from './request-key';
import { returnPath } from './return-path';

export const requestErrors = defineErrors({
  order_of_another_member: {
    status: 409,
    message: 'The order does not name this member.',
    remedy: 'Register the order with the same member_id.',
  },
  too_many_cards: {
    status: 409,
    message: `The member has ${CARDS_HELD} cards already.`,
    remedy: 'Let the member remove a card first.',
  },
});

const METHOD = /^[a-z]{1,16}$/;

const bodySchema = strictBody({
  order: strictBody({ merchant_uid: merchantUidField }).optional().meta({
    description: 'The order that is paid in the same window. Absent: the window takes no money.',
  }),
  pg: z.string().regex(PG).optional().meta({
    description:
      'The channel of your account that issues the key, such as `kakaopay`. It is passed on to the window.',
  }),
  pay_method: z.string().regex(METHOD).default('card').meta({
    description: 'Passed on to the window.',
  }),
  return_url: z.string().optional().meta({
    description:
      'Where the browser is sent once the key is stored, with `customer_uid` added: at an origin that RETURN_URLS names, or a path of this host. Absent: the list of the member’s cards.',
  }),
});

const amount = z.int().min(0);
const windowSchema = z
  .looseObject({
    pg: z.string().optional(),
    pay_method: z.string(),
    customer_uid: z.string(),
    merchant_uid: z.string(),
    name: z.string(),
    amount,
    currency: z.string(),
    m_redirect_url: z.url().meta({ description: 'Where the window returns to.' }),
  })
  .meta({ description: 'The parameters of the browser call, unchanged.' });

const requestSchema = z
  .strictObject({
    customer_uid: z.string(),
    merchant_uid: z.string().meta({ description: 'Of the order, or an id of this request alone.' }),
    amount: amount.meta({ description: '0, or that of the order.' }),
    expires_at: z.iso.datetime().meta({
      description: 'A key that is issued later is the discrepancy `unknown_billing_key`.',
    }),
    window: windowSchema,
  })
  .meta({ id: 'BillingKeyRequest', description: 'A key that the member may issue in the payment window.' });

const example = {
  customer_uid: 'window_kdmphmbgeakcnjclpobdhilfmaegnkcj',
  merchant_uid: 'key-fbhkmacdneipgjlobkdhamcf',
  amount: 0,
  expires_at: '2026-11-21T10:00:00.000Z',
} satisfies Partial<z.input<typeof requestSchema>>;

const exampleOfRequest = {
  ...example,
  window: {
    pg: 'kakaopay',
    pay_method: 'card',
    customer_uid: example.customer_uid,
    merchant_uid: example.merchant_uid,
    name: '결제수단 등록',
    amount: 0,
    currency: 'KRW',
    m_redirect_url: `https://cards.example.com${returnPath(example.customer_uid)}`,
  },
} satisfies z.input<typeof requestSchema>;

export const requestRoutes: ApiRoute[] = [
  apiRoute({
    method: 'post',
    path: '/api/members/{member_id}/billing-key-requests',
    scope: 'members',
    summary: 'Request a billing key that the member issues in the payment window',
    description:
      'For wallets, and for cards whose numbers this server never sees. Open the window with `window` as it is. The key becomes a card of the member once its payment is verified and the service shows the key (§4.7); the event `card.registered` tells. Each request is for one key: make a new one for each try.',
    body: bodySchema,
    example: { pg: 'kakaopay', return_url: '/checkout?plan=tea' },
    answers: {
      201: {
        description: 'The request is stored: the window may open.',
        schema: requestSchema,
        example: exampleOfRequest,
      },
    },
    errors: [
      orderErrors.order_not_found,
      chargeErrors.order_not_payable,
      requestErrors.order_of_another_member,
      requestErrors.too_many_cards,
      platformErrors.return_url_refused,
    ],
    async handle(context, { params, body, incoming, log }) {
      const { member_id: memberId } = parseRequest(z.object({ member_id: memberIdField }), params);
      const returnUrl = getReturnUrl(context.config, body.return_url);
      const merchantUid = body.order?.merchant_uid ?? null;
      const outcome = await requestKey(context, { memberId, merchantUid, returnUrl });
      log({ merchant_uid: merchantUid, outcome: outcome.kind });
      if (outcome.kind !== 'requested') throw new HttpError(REFUSALS[outcome.kind]);
      const { request, window } = outcome;
      log({ customer_uid: request.customerUid });
      const { customer_uid, merchant_uid, amount } = window;
      const { pg, pay_method } = body;
      const m_redirect_url = `${ownUrl(context.config, incoming)}${returnPath(customer_uid)}`;
      return {
        status: 201,
        body: {
          ...{ customer_uid, merchant_uid, amount },
          expires_at: request.expiresAt.toISOString(),
          window: { ...(pg !== undefined && { pg }), pay_method, ...window, m_redirect_url },
        },
      };
    },
  }),
];

const REFUSALS = {
  order_not_found: orderErrors.order_not_found,
  order_not_payable: chargeErrors.order_not_payable,
  order_of_another_member: requestErrors.order_of_another_member,
  too_many_cards: requestErrors.too_many_cards,
} as const;
