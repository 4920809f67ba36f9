// A mail goes to the buyer when an order is paid. Copy this file over src/merchant/shop/on-order-event.ts, and
// `npm install nodemailer`. SMTP_URL is such as smtps://user:password@mail.example.com.

import { createTransport } from 'nodemailer';
import type { Context } from '../context';
import type { ShopEvent } from '../events/event';
import { findOrder } from '../orders/order-store';

const mailServer = createTransport(process.env['SMTP_URL'] ?? 'smtp://127.0.0.1:1025', {
  from: 'Tea shop <orders@shop.example>',
});

export async function onOrderEvent(event: ShopEvent, context: Context): Promise<void> {
  if (event.type !== 'order.paid') return;
  const order = await findOrder(context, event.data.merchant_uid);
  if (!order?.buyerEmail) return;
  await mailServer.sendMail({
    // The same event has the same id. A mail that goes out twice is shown once by most mail programs.
    messageId: `<${event.id}@shop.example>`,
    to: order.buyerEmail,
    subject: `Your order ${order.merchantUid} is paid`,
    text: `Thank you. We have received ${Number(order.amount)} ${order.currency} for ${order.name}.`,
  });
}
