// GET /receipts/{svc_uid}, and below it each cancellation: the receipts that the records name (§2.4), for people.

import { Router, type Request, type Response } from 'express';
import { companyIn } from '../billing-keys/card';
import { amountText, timeText } from '../console/texts';
import type { Locale } from '../locales/ko';
import { securePages } from '../pages/secure-pages';
import { localeFor, sendPage } from '../pages/send-page';
import type { Payment } from '../payments/payment';
import type { Service } from '../service';
import { methodName } from '../window/window-view';

export function receiptRoutes({ payments, clock }: Service): Router {
  const routes = Router({ caseSensitive: true });
  routes.use('/receipts', securePages(["script-src 'self'"]));
  const show = (request: Request, response: Response, next: () => void) => {
    const { svc_uid: svcUid = '', number } = request.params as Record<string, string>;
    const payment = payments.find(svcUid);
    const cancellation = number === undefined ? null : payment?.cancellations[Number(number) - 1];
    if (!payment || payment.paidAt === 0 || cancellation === undefined) return next();
    const t = localeFor(request);
    const { amount, at } = cancellation ?? { amount: payment.amount, at: payment.paidAt };
    sendPage(request, response, 'receipt', {
      title: cancellation === null ? t.window.receipt.title : t.window.receipt.cancelTitle,
      money: amountText(amount, payment.currency, t),
      facts: factsOf(payment, cancellation?.reason, payments.recordOf(payment).apply_num, t),
      at: timeText(at, clock.now(), t),
    });
  };
  routes.get('/receipts/:svc_uid', show);
  routes.get('/receipts/:svc_uid/cancel/:number', show);
  return routes;
}

function factsOf(payment: Payment, reason: string | undefined, approval: string | null, t: Locale) {
  const { card, payMethod, name, merchantUid, svcUid } = payment;
  const { window } = t;
  const facts = [
    [window.order, name],
    [window.orderNumber, merchantUid],
    [window.payMethod, card ? `${companyIn(card, t.lang)} ${card.number}` : methodName(payMethod, window)],
    [window.receipt.approval, approval],
    [window.receipt.payment, svcUid],
    [window.receipt.reason, reason],
  ];
  return facts.filter(([, value]) => value).map(([label, value]) => ({ name: label, value }));
}
