// Refunds in two steps: a page that names the amount, the card and the balance, and the refund itself, or above REFUND_LIMIT
// the request for it. The first step moves no money. For a deposit to a virtual account, the second one asks for the account
// of the buyer, which is not stored.

import type { Context } from '../../../platform/context';
import { HttpError } from '../../../platform/errors';
import {
  actionRoute,
  toPage,
  type DoneKey,
  type OperatorAnswer,
  type OperatorRequest,
  type OperatorRoute,
} from '../frame/page';
import { requestErrors } from './errors';
import { BANKS } from './refund-input';
import { hasRefundLimit, needsSecondPerson, requestRefund } from './refund-requests';
import type { RefundSubject } from './refund-subjects';

/** The page that has the form of the first step. */
type FormPage = {
  /** As an Express path. */
  path: string;
  back: (request: OperatorRequest) => string;
  page: OperatorRoute['handle'];
  /** Where the refund leads; default: back to that page. */
  to?: string;
};

export function refundRoutes(subject: RefundSubject, formPage: FormPage): OperatorRoute[] {
  const { path, back, page } = formPage;
  const ask = (context: Context, request: OperatorRequest) =>
    askPage(context, request, subject, back(request));
  return [
    {
      method: 'post',
      path: `${path}/refund/check`,
      role: 'refund',
      action: 'refund',
      changesNothing: true,
      back,
      page,
      handle: ask,
    },
    actionRoute({
      ...formPage,
      path: `${path}/refund`,
      role: 'refund',
      action: 'refund',
      // The amount may no longer be there; then the page with the form says why.
      page: (context, request) => ask(context, request).catch(() => page(context, request)),
      act: (context, request) => refundOrRequest(context, request, subject),
    }),
  ];
}

/** §2.4, pay_method. */
const VIRTUAL_ACCOUNT = 'vbank';

/** @throws HttpError if this could not be refunded, ServiceError if the service could not be asked */
async function askPage(
  context: Context,
  request: OperatorRequest,
  subject: RefundSubject,
  back: string,
): Promise<OperatorAnswer> {
  const wanted = await subject.read(context, request);
  const { svcUid, amount, currency, payMethod } = wanted;
  if (amount === null && hasRefundLimit(context)) throw new HttpError(requestErrors.refund_amount_unknown);
  const needsApproval = await needsSecondPerson(context, { svcUid, amount: amount ?? 0, currency });
  return toPage({
    template: 'refund',
    title: ({ operator }) => `${operator.refund.title} ${svcUid}`,
    place: subject.place,
    data: {
      ...wanted,
      action: `${back}/refund`,
      back,
      needsApproval,
      isVirtualAccount: payMethod === VIRTUAL_ACCOUNT,
      banks: BANKS,
    },
  });
}

/** @throws HttpError if nothing was refunded or requested, ServiceError if the service could not be asked */
async function refundOrRequest(
  context: Context,
  request: OperatorRequest,
  subject: RefundSubject,
): Promise<DoneKey> {
  if (!hasRefundLimit(context)) return subject.send(context, request);
  const { payMethod, ...wanted } = await subject.readConfirmed(context, request);
  const { svcUid, discrepancyId, amount, taxFree, balance, currency, reason } = wanted;
  // Nobody can tell whether it is above the limit.
  if (amount === null || balance === null) throw new HttpError(requestErrors.refund_amount_unknown);
  if (!(await needsSecondPerson(context, { svcUid, amount, currency })))
    return subject.send(context, request);
  const needsAccount = payMethod === VIRTUAL_ACCOUNT;
  const refund = { svcUid, discrepancyId, amount, taxFree, balance, currency, reason, needsAccount };
  return requestRefund(context, request, refund);
}
