// POST /api/payments/{svc_uid}/cancel {reason}, or {reason, amount, checksum} for a part. The contract names no route for
// it: this is our choice.

import express, { type Router } from 'express';
import { RequestFault } from '../errors';
import { parseRequest } from '../http/parse-request';
import { noteForLog } from '../http/request-log';
import { isSvcUid } from '../payment-service/identifiers';
import { paymentJson } from '../payments/payment-json';
import type { StoredPayment } from '../payments/payment-store';
import type { CancelPayment, CancellationOutcome } from './cancel-payment';
import { cancellationSchema } from './cancellation-json';
import { NO_REASON, notExecuted, RETRY_AFTER_SECONDS } from './charge-answer';

type Dependencies = {
  cancelPayment: CancelPayment;
  findPayment: (svcUid: string) => Promise<StoredPayment | null>;
};

export function createCancellationRoutes({ cancelPayment, findPayment }: Dependencies): Router {
  const router = express.Router({ strict: true, caseSensitive: true });

  router.post('/payments/:svc_uid/cancel', async (request, response) => {
    const svcUid = request.params.svc_uid;
    const { amount = null, reason, checksum = null } = parseRequest(cancellationSchema, request.body);
    if (!isSvcUid(svcUid)) throw paymentNotFound();
    const result = await cancelPayment({ svcUid, amount, reason, checksum });
    noteForLog(response, { svc_uid: svcUid, outcome: result.kind });
    if (result.kind === 'not_executed') response.set('Retry-After', RETRY_AFTER_SECONDS);
    const { status, outcome } = cancellationAnswer(result);
    const payment = await findPayment(svcUid);
    if (!payment) throw paymentNotFound();
    response.status(status).json({ outcome, payment: paymentJson(payment) });
  });
  return router;
}

/** @throws RequestFault for everything that was not cancelled */
function cancellationAnswer(result: CancellationOutcome) {
  switch (result.kind) {
    case 'cancelled':
      return { status: 200, outcome: 'cancelled' };
    case 'unknown':
      return { status: 202, outcome: 'unknown' };
    case 'refused':
      throw new RequestFault(400, 'cancellation_refused', result.serviceMessage ?? NO_REASON);
    case 'not_executed':
      throw notExecuted();
    case 'payment_not_found':
      throw paymentNotFound();
    case 'nothing_to_cancel':
      throw new RequestFault(409, 'nothing_to_cancel', 'This payment holds no money.');
    case 'balance_differs':
      throw new RequestFault(409, 'balance_differs', 'This payment holds another balance than expected.');
    case 'amount_exceeds_balance':
      throw new RequestFault(409, 'amount_exceeds_balance', 'This payment holds less than that.');
    case 'cancellation_pending':
      throw new RequestFault(
        409,
        'cancellation_pending',
        'The outcome of a cancellation of this payment is not known yet.',
      );
    case 'cancellation_needs_review':
      throw new RequestFault(
        409,
        'cancellation_needs_review',
        'This payment shows another cancelled amount than was asked for: look at its record.',
      );
  }
}

function paymentNotFound(): RequestFault {
  return new RequestFault(404, 'payment_not_found', 'No verified payment has this svc_uid.');
}
