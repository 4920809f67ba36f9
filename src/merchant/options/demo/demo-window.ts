// The page that opens the payment window by the service's browser script (§6.3), with its code to copy. Its link leads to the
// sandbox's window too, so the page works without JavaScript.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredOrder } from '../../core/orders/order-store';
import { payableOrders } from '../../core/payments/order-status';
import { isCustomerUid } from '../../payment-service/identifiers';
import type { Config } from '../../platform/config';
import type { Context } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import { ownUrl } from '../../platform/http/path-prefix';
import { allowToLoad } from '../../platform/http/security-headers';
import { languageOf, linkIn, VIEWS } from '../../platform/http/views';
import { platformErrors } from '../../platform/platform-errors';
import { requestKey, windowOf } from '../window-keys/request-key';
import { findRequest } from '../window-keys/request-store';
import { returnPath } from '../window-keys/return-path';
import { ownOrder, productOf, sandboxOrigin, type MemberVisit, type Product } from './demo-shop';
import { en } from './texts.en';
import { ko } from './texts.ko';

type Request = MemberVisit['request'];

const SCRIPT = '/static/pay-in-window.js';
const CODE = readFileSync(join(VIEWS, 'merchant', 'demo', SCRIPT), 'utf8');
/** What a live account has is in the admin console. The sandbox accepts any code. */
const ACCOUNT_CODE = 'sandbox';

export async function showWindowPage(context: Context, asked: MemberVisit): Promise<void> {
  const { request, response } = asked;
  const order = await ownOrder(context, asked);
  if (!payableOrders.has(order.status))
    return response.redirect(303, linkIn(request, `/demo/orders/${order.merchantUid}`));
  const back = addressIn(context, request, `/orders/${order.merchantUid}/return`);
  back.searchParams.set('return_url', linkIn(request, `/demo/orders/${order.merchantUid}`));
  const { merchantUid: merchant_uid, amount, currency } = order;
  const product = productOf(order);
  const name = product ? { ko, en }[languageOf(request)].demo.products[product.id].name : order.name;
  const fields = { merchant_uid, name, amount: Number(amount), currency, m_redirect_url: back.href };
  sendWindowPage(context, asked, { words: 'window', fields, order, product });
}

/** The same for a payment method of the plan. */
export async function showKeyWindow(context: Context, asked: MemberVisit): Promise<void> {
  const { request, memberId } = asked;
  const customerUid: unknown = request.params['customer_uid'];
  const wanted = isCustomerUid(customerUid) ? await findRequest(context, customerUid) : null;
  if (wanted?.memberId !== memberId) throw new HttpError(platformErrors.not_found);
  const m_redirect_url = addressIn(context, request, returnPath(wanted.customerUid)).href;
  const name = { ko, en }[languageOf(request)].demo.keyWindow.title;
  const fields = { ...windowOf(wanted, null), pg: WALLET, pay_method: 'card', name, m_redirect_url };
  sendWindowPage(context, asked, { words: 'keyWindow', fields, order: null, product: null });
}

export async function submitKeyRequest(context: Context, asked: MemberVisit): Promise<void> {
  const { request, response, memberId } = asked;
  const returnUrl = linkIn(request, '/demo/plan');
  const outcome = await requestKey(context, { memberId, merchantUid: null, returnUrl });
  if (outcome.kind !== 'requested')
    return response.redirect(303, linkIn(request, `/demo/plan?wallet=${outcome.kind}`));
  response.redirect(303, linkIn(request, `/demo/keys/${outcome.request.customerUid}/window`));
}

const WALLET = 'kakaopay';

type WindowPage = {
  words: 'window' | 'keyWindow';
  fields: { amount: number; m_redirect_url: string };
  /** Null if nothing is bought. */
  order: StoredOrder | null;
  product: Product | null;
};

function sendWindowPage(
  context: Context,
  { request, response, views }: MemberVisit,
  { words, fields, order, product }: WindowPage,
): void {
  const { config } = context;
  const origin = sandboxOrigin(config, request);
  // It overrides the address of the console (§6.3).
  const payment = { ...fields, notice_url: `${loopbackUrl(config, request)}/webhooks/payments` };
  allowToLoad(origin, config, request, response);
  views.send(request, response, {
    status: 200,
    template: 'demo/window',
    texts: { ko, en },
    title: ({ demo }) => demo[words].title,
    data: {
      words,
      order,
      product,
      address: windowAddress(origin, { ...payment, lang: languageOf(request) }),
      service: config.service.namePrefix.toUpperCase(),
      accountCode: ACCOUNT_CODE,
      payment: JSON.stringify(payment, null, 2),
      scripts: [`${origin}/window.js`, `${config.pathPrefix}${SCRIPT}`],
      code: CODE,
    },
  });
}

/** Of one of our paths, in the language of this request. */
const addressIn = ({ config }: Context, request: Request, path: string): URL =>
  new URL(linkIn(request, path), ownUrl(config, request));

/** The sandbox is on this machine, and may be unable to use the address under which the browser reaches us. */
function loopbackUrl({ pathPrefix }: Pick<Config, 'pathPrefix'>, { socket }: Request): string {
  return `http://127.0.0.1:${socket.localPort}${pathPrefix}`;
}

/** The sandbox's window without its script. */
function windowAddress(
  origin: string,
  { m_redirect_url: returnUrl, ...fields }: WindowPage['fields'] & { lang: string },
): string {
  const window = new URL('/window', origin);
  for (const [field, value] of Object.entries({ ...fields, return_url: returnUrl }))
    window.searchParams.set(field, String(value));
  return window.href;
}
