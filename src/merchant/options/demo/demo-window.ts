// The page that opens the payment window by the service's browser script (§6.3), with its code to copy. Its link leads to the
// sandbox's window too, so the page works without JavaScript.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredOrder } from '../../core/orders/order-store';
import { payableOrders } from '../../core/payments/order-status';
import type { Config } from '../../platform/config';
import type { Context } from '../../platform/context';
import { ownUrl } from '../../platform/http/path-prefix';
import { allowToLoad } from '../../platform/http/security-headers';
import { languageOf, linkIn, VIEWS } from '../../platform/http/views';
import { ownOrder, productOf, sandboxOrigin, type MemberVisit } from './demo-shop';
import { en } from './texts.en';
import { ko } from './texts.ko';

type Request = MemberVisit['request'];

const SCRIPT = '/static/pay-in-window.js';
const CODE = readFileSync(join(VIEWS, 'merchant', 'demo', SCRIPT), 'utf8');
/** What a live account has is in the admin console. The sandbox accepts any code. */
const ACCOUNT_CODE = 'sandbox';

export async function showWindowPage(context: Context, asked: MemberVisit): Promise<void> {
  const { request, response, views } = asked;
  const { config } = context;
  const order = await ownOrder(context, asked);
  if (!payableOrders.has(order.status))
    return response.redirect(303, linkIn(request, `/demo/orders/${order.merchantUid}`));
  const origin = sandboxOrigin(config, request);
  allowToLoad(origin, config, request, response);
  const product = productOf(order);
  const name = product ? { ko, en }[languageOf(request)].demo.products[product.id].name : order.name;
  const payment = paymentOf(config, request, { ...order, name });
  views.send(request, response, {
    status: 200,
    template: 'demo/window',
    texts: { ko, en },
    title: ({ demo }) => demo.window.title,
    data: {
      order,
      product,
      address: windowAddress(origin, payment),
      service: config.service.namePrefix.toUpperCase(),
      accountCode: ACCOUNT_CODE,
      payment: JSON.stringify(payment, null, 2),
      scripts: [`${origin}/window.js`, `${config.pathPrefix}${SCRIPT}`],
      code: CODE,
    },
  });
}

type WindowPayment = ReturnType<typeof paymentOf>;

/** The fields of the browser call. `notice_url` overrides the address of the console (§6.3). */
function paymentOf(config: Config, request: Request, { merchantUid, name, amount, currency }: StoredOrder) {
  const back = new URL(`${ownUrl(config, request)}/orders/${merchantUid}/return`);
  back.searchParams.set('return_url', `${config.pathPrefix}/demo/orders/${merchantUid}`);
  return {
    merchant_uid: merchantUid,
    name,
    amount: Number(amount),
    currency,
    notice_url: `${loopbackUrl(config, request)}/webhooks/payments`,
    m_redirect_url: back.href,
  };
}

/** The sandbox is on this machine, and may be unable to use the address under which the browser reaches us. */
function loopbackUrl({ pathPrefix }: Pick<Config, 'pathPrefix'>, { socket }: Request): string {
  return `http://127.0.0.1:${socket.localPort}${pathPrefix}`;
}

/** The sandbox's window without its script. */
function windowAddress(origin: string, { m_redirect_url: returnUrl, ...fields }: WindowPayment): string {
  const window = new URL('/window', origin);
  for (const [field, value] of Object.entries({ ...fields, return_url: returnUrl }))
    window.searchParams.set(field, String(value));
  return window.href;
}
