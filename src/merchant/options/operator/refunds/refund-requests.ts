// Refunds that need a second person (REFUND_LIMIT): one operator requests, another one approves, and only then the refund is
// sent. Both need an account, because OPERATOR_PASSWORD takes any name, and neither may have made or changed the other's.

import type { RefundRequest } from '../../../../generated/prisma/client';
import { isRowId } from '../../../core/attempts/attempt-schema';
import { attemptErrors } from '../../../core/attempts/decision';
import { bestEffort } from '../../../core/attempts/send-once';
import { findPayment } from '../../../core/payments/payment-store';
import { refundDiscrepancy, type DiscrepancyRefundOutcome } from '../../../core/refunds/refund-discrepancy';
import { refundPayment } from '../../../core/refunds/refund-payment';
import { refundResponse } from '../../../core/refunds/refund-response';
import type { RefundAccount } from '../../../payment-service/refunds';
import type { ActionQueue, Context } from '../../../platform/context';
import { HttpError } from '../../../platform/errors';
import type { LogFields } from '../../../platform/http/log-fields';
import { settingsOf } from '../../../platform/settings';
import { areLinked } from '../accounts/store';
import type { DoneKey, OperatorRequest } from '../frame/page';
import { operatorSettings } from '../settings';
import { requestErrors } from './errors';
import { parseApproval } from './refund-input';
import {
  findRequest,
  findWaitingRequests,
  finishApproval,
  insertRequest,
  sumByOperators,
  writeDecision,
  type NewRequest,
} from './refund-request-store';

/** The name of their actions in URLs. */
export const REFUND_REQUESTS = 'refund-requests';
/** There is no list of them: the queue has all, which are few. */
const MOST_WAITING = 200;

/** The unit of REFUND_LIMIT. A refund in another currency needs a second person whatever its amount: our choice. */
const LIMITED_CURRENCY = 'KRW';

/** Whether some refunds need a second person. */
export function hasRefundLimit({ config }: Pick<Context, 'config'>): boolean {
  return settingsOf(config, operatorSettings).REFUND_LIMIT !== undefined;
}

/**
 * Whether a refund has to be requested. All that operators have refunded of the payment counts, whoever did it and when,
 * so that several small parts do not pass the limit. Two refunds at the same time cannot both pass either: each sends the
 * balance that its operator saw, and the second finds another one.
 * @throws HttpError `refund_request_waiting`
 */
export async function needsSecondPerson(
  context: Context,
  { svcUid, amount, currency }: { svcUid: string; amount: number; currency: string | null },
): Promise<boolean> {
  const { REFUND_LIMIT: limit } = settingsOf(context.config, operatorSettings);
  if (limit === undefined) return false;
  const isAbove = (await sumByOperators(context, svcUid)) + amount > limit;
  if (!isAbove && currency === LIMITED_CURRENCY) return false;
  const waiting = await findWaitingRequests(context, { svcUid }, 1);
  if (waiting.length > 0) throw new HttpError(requestErrors.refund_request_waiting);
  return true;
}

type Asked = Pick<OperatorRequest, 'by' | 'accountId' | 'params' | 'body' | 'log'>;

/** Stores the request. Nothing is sent. @throws HttpError `refund_request_waiting` */
export async function requestRefund(
  context: Context,
  { by, accountId, log }: Asked,
  refund: Omit<NewRequest, 'requestedBy' | 'requesterId'>,
): Promise<DoneKey> {
  const { svcUid, amount } = refund;
  const isStored = await insertRequest(context, { ...refund, requestedBy: by, requesterId: accountId });
  if (!isStored) throw new HttpError(requestErrors.refund_request_waiting);
  log({ ...(await refundFacts(context, { svcUid, amount })), outcome: 'refund_requested' });
  return 'refund_requested';
}

/**
 * Sends a requested refund, with the balance that its requester saw. The approval is written first, so that of two at the
 * same time one sends. If the refund was not made, the request waits again.
 * @throws HttpError if nothing was refunded
 */
export async function approveRefund(context: Context, asked: Asked): Promise<DoneKey> {
  const { by, accountId, body, log } = asked;
  const request = await findWaiting(context, asked);
  if (accountId === null || request.requesterId === null) throw new HttpError(requestErrors.approver_unknown);
  if (accountId === request.requesterId) throw new HttpError(requestErrors.same_operator);
  if (await areLinked(context, accountId, request.requesterId))
    throw new HttpError(requestErrors.approver_not_independent);
  const { refund_account: refundAccount = null } = parseApproval(body);
  const { id } = request;
  const isOurs = await writeDecision(context, { id, by, decision: 'approved' });
  if (!isOurs) throw new HttpError(attemptErrors.already_settled);
  let result: DiscrepancyRefundOutcome;
  try {
    result = await sendRefund(context, request, refundAccount);
  } finally {
    await bestEffort(context, () => finishApproval(context, id));
  }
  log({ outcome: result.kind });
  if (OUTDATED.includes(result.kind)) throw new HttpError(requestErrors.refund_request_outdated);
  return doneWith(result);
}

/** @throws HttpError if nothing was refunded */
export function doneWith(result: DiscrepancyRefundOutcome): DoneKey {
  return refundResponse(result) === 'refunded' ? 'refunded' : 'refund_unknown';
}

/** The payment is no longer as the requester saw it. */
const OUTDATED: DiscrepancyRefundOutcome['kind'][] = [
  'balance_differs',
  'amount_exceeds_balance',
  'nothing_to_cancel',
  'already_settled',
];

function sendRefund(
  context: Context,
  { svcUid, discrepancyId, amount, taxFree, balance, reason, requestedBy }: RefundRequest,
  refundAccount: RefundAccount | null,
): Promise<DiscrepancyRefundOutcome> {
  const common = { reason, checksum: Number(balance), refundAccount };
  return discrepancyId === null
    ? refundPayment(context, {
        ...common,
        svcUid,
        amount: Number(amount),
        taxFree: taxFree === null ? null : Number(taxFree),
        requestedBy,
      })
    : refundDiscrepancy(context, { ...common, id: discrepancyId, by: requestedBy });
}

/** No money moves, so the requester may do it as well, and without an account, too. @throws HttpError if it was decided */
export async function rejectRefund(context: Context, asked: Asked): Promise<DoneKey> {
  const { by, log } = asked;
  const { id } = await findWaiting(context, asked);
  const isOurs = await writeDecision(context, { id, by, decision: 'rejected' });
  if (!isOurs) throw new HttpError(attemptErrors.already_settled);
  log({ outcome: 'rejected' });
  return 'refund_rejected';
}

/** For the log: a refund is looked for by its order. The payment of a discrepancy may have no row. */
export async function refundFacts(
  context: Context,
  { svcUid, amount }: { svcUid: string; amount: number | bigint },
): Promise<LogFields> {
  const payment = await findPayment(context, svcUid);
  return { svc_uid: svcUid, merchant_uid: payment?.merchantUid ?? null, amount: Number(amount) };
}

/** @throws HttpError if there is none that waits */
async function findWaiting(context: Context, { params: { id = '' }, log }: Asked): Promise<RefundRequest> {
  const request = isRowId(id) ? await findRequest(context, BigInt(id)) : null;
  if (!request) throw new HttpError(requestErrors.refund_request_not_found);
  log({ ...(await refundFacts(context, request)), requested_by: request.requestedBy });
  const [waiting] = await findWaitingRequests(context, { id: request.id }, 1);
  if (!waiting) throw new HttpError(attemptErrors.already_settled);
  // The process that approved it has stopped: it may have sent the refund.
  if (waiting.decision !== null) await finishApproval(context, request.id);
  return waiting;
}

export const refundRequestQueue: ActionQueue = {
  kind: REFUND_REQUESTS,
  subject: null,
  async findWaiting(context) {
    const requests = await findWaitingRequests(context, {}, MOST_WAITING);
    return [{ items: requests.map(requestJson), hasMore: false, filters: {} }];
  },
};

/** As the pages show it. */
export function requestJson(row: RefundRequest) {
  return {
    id: String(row.id),
    svc_uid: row.svcUid,
    amount: Number(row.amount),
    tax_free: row.taxFree === null ? null : Number(row.taxFree),
    balance: Number(row.balance),
    currency: row.currency,
    cancel_reason: row.reason,
    needs_account: row.needsAccount,
    requested_by: row.requestedBy,
    requester_id: row.requesterId === null ? null : String(row.requesterId),
    requested_at: row.requestedAt.toISOString(),
  };
}
