// An email goes to the buyer when an order is paid. Copy this file over src/merchant/shop/on-order-event.ts, and
// `npm install --save-prod nodemailer@10.6.0`. SMTP_URL is such as smtps://user:password@mail.example.com.

import { createTransport, type Transporter } from 'nodemailer';
import { findOrder } from '../core/orders/order-store';
import type { Context } from '../platform/context';
import type { ShopEvent } from './event';

let mailServer: Transporter | undefined;

/** Made for the first email: when this file is loaded, `.env` has not been read yet. */
function openMailServer({ config }: Context): Transporter {
  const url = process.env['SMTP_URL'];
  // Thrown, so that the event comes again: an email must not be lost for a setting.
  if (url === undefined && config.production) throw new Error('SMTP_URL is not set');
  mailServer ??= createTransport(url ?? 'smtp://127.0.0.1:1025', { from: 'Tea shop <orders@shop.example>' });
  return mailServer;
}

export async function onOrderEvent(event: ShopEvent, context: Context): Promise<void> {
  if (event.type !== 'order.paid') return;
  const order = await findOrder(context, event.data.merchant_uid);
  if (!order?.buyerEmail) return;
  await openMailServer(context).sendMail({
    // The same event has the same id. An email that goes out twice is shown once by most email programs.
    messageId: `<${event.id}@shop.example>`,
    to: order.buyerEmail,
    subject: `Your order ${order.merchantUid} is paid`,
    text: `Thank you. We have received ${Number(order.amount)} ${order.currency} for ${order.name}.`,
  });
}
