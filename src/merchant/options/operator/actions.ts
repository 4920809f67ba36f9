// Operators' actions on a payment or on items that need a person: the use cases of the JSON API, with the name of the
// signed-in operator.

import { z } from 'zod';
import type { NoteSubject } from '../../../generated/prisma/client';
import { isRowId, noteField } from '../../core/attempts/attempt-schema';
import { decisionError, type NotDecided } from '../../core/attempts/decision';
import { billingKeyErrors, issuanceDecisionSchema } from '../../core/billing-keys/billing-key-schema';
import { decideIssuance } from '../../core/billing-keys/decide-issuance';
import { isChargeId } from '../../core/charges/charge-id';
import { chargeErrors } from '../../core/charges/charge-response';
import { chargeDecisionSchema } from '../../core/charges/charge-schema';
import { decideCharge } from '../../core/charges/decide-charge';
import { decideDiscrepancy } from '../../core/discrepancies/decide-discrepancy';
import { discrepancyErrors } from '../../core/discrepancies/errors';
import { resolveSchema } from '../../core/discrepancies/routes';
import { findDiscrepancy, type StoredDiscrepancy } from '../../core/discrepancies/store';
import { missingTargets, replayEvent } from '../../core/events/deliver-events';
import { eventErrors } from '../../core/events/event-list';
import { deliverSoon } from '../../core/events/save-events';
import { orderErrors } from '../../core/orders/order-schema';
import { enterDispute } from '../../core/payments/enter-dispute';
import type { ReportedIds } from '../../core/payments/fetch-payment';
import { paymentErrors } from '../../core/payments/payment-schema';
import { findPayment } from '../../core/payments/payment-store';
import { syncPayment } from '../../core/payments/sync-payment';
import { decideRefund } from '../../core/refunds/decide-refund';
import { refundDiscrepancy } from '../../core/refunds/refund-discrepancy';
import { refundPayment } from '../../core/refunds/refund-payment';
import { refundErrors, refundResponse } from '../../core/refunds/refund-response';
import { refundDecisionSchema } from '../../core/refunds/refund-schema';
import { isMerchantUid, isSvcUid } from '../../payment-service/identifiers';
import type { Context } from '../../platform/context';
import { HttpError, type ErrorDefinition } from '../../platform/errors';
import { parseRequest, strictBody } from '../../platform/http/body-fields';
import { platformErrors } from '../../platform/platform-errors';
import { readAmount } from './formats';
import { writeNote } from './note-store';
import type { DoneKey, OperatorRequest } from './operator-page';
import { formFields, parseDiscrepancyRefund, parseRefund } from './refund-input';

type Asked = Pick<OperatorRequest, 'by' | 'params' | 'body' | 'sent' | 'log'>;

/** Syncs a payment now, as a notification would. */
export async function checkAgain(context: Context, { log }: Asked, reported: ReportedIds): Promise<DoneKey> {
  const { outcome } = await syncPayment(context, reported);
  const ids = { svc_uid: reported.svcUid, merchant_uid: reported.merchantUid };
  log({ ...ids, outcome });
  return outcome === 'recorded' || outcome === 'unchanged' || outcome === 'queued' ? outcome : 'mismatch';
}

/** @throws HttpError if nothing was refunded */
export async function refundOfPayment(context: Context, { by, params, body, log }: Asked): Promise<DoneKey> {
  const svcUid = params['svc_uid'];
  if (!isSvcUid(svcUid)) throw new HttpError(paymentErrors.payment_not_found);
  const { amount, tax_free, reason, checksum, refund_account } = parseRefund(body);
  const result = await refundPayment(context, {
    svcUid,
    amount: amount ?? null,
    taxFree: tax_free ?? null,
    reason,
    // Also for a full refund: a partial refund made meanwhile is then reported.
    checksum,
    refundAccount: refund_account ?? null,
    requestedBy: by,
  });
  const merchantUid = (await findPayment(context, svcUid))?.merchantUid ?? null;
  log({ svc_uid: svcUid, merchant_uid: merchantUid, amount: amount ?? checksum, outcome: result.kind });
  return refundResponse(result) === 'refunded' ? 'refunded' : 'refund_unknown';
}

const disputeSchema = strictBody({ amount: z.int().positive(), note: noteField });

/** Enters a dispute with a note about its letter. One that is open already only gets the note. */
export async function disputePayment(context: Context, asked: Asked): Promise<DoneKey> {
  const { by, params, body, log } = asked;
  const svcUid = params['svc_uid'];
  if (!isSvcUid(svcUid)) throw new HttpError(paymentErrors.payment_not_found);
  const form = formFields(body);
  const { amount, note: text } = parseRequest(disputeSchema, {
    ...form,
    amount: readAmount(form['amount'] ?? ''),
  });
  const outcome = await enterDispute(context, { svcUid, amount });
  log({ svc_uid: svcUid, amount, outcome: outcome.kind });
  if (outcome.kind === 'payment_not_found') throw new HttpError(paymentErrors.payment_not_found);
  if (outcome.kind === 'amount_exceeds_payment')
    throw new HttpError(platformErrors.invalid_request, 'amount: must not be more than the payment');
  const id = String(outcome.discrepancyId);
  log({ discrepancy_id: id });
  await writeNote(context, { subject: 'discrepancy', subjectId: id, writtenBy: by, text });
  return outcome.kind === 'entered' ? 'dispute_entered' : 'noted';
}

/** @throws HttpError if nothing was refunded */
export async function refundOfDiscrepancy(context: Context, asked: Asked): Promise<DoneKey> {
  const { by, body, log } = asked;
  const id = rowId(asked, discrepancyErrors.discrepancy_not_found);
  const { reason, checksum, refund_account: refundAccount = null } = parseDiscrepancyRefund(body, by);
  const { svcUid = null, merchantUid = null } = (await findDiscrepancy(context, id)) ?? {};
  const result = await refundDiscrepancy(context, { id, reason, by, checksum, refundAccount });
  const ids = { discrepancy_id: String(id), svc_uid: svcUid, merchant_uid: merchantUid };
  log({ ...ids, ...(checksum !== null && { amount: checksum }), outcome: result.kind });
  return refundResponse(result) === 'refunded' ? 'refunded' : 'refund_unknown';
}

export async function checkDiscrepancyAgain(context: Context, asked: Asked): Promise<DoneKey> {
  const discrepancy = await readDiscrepancy(context, asked);
  if (!isSvcUid(discrepancy.svcUid)) throw new HttpError(refundErrors.svc_uid_unusable);
  return checkAgain(context, asked, discrepancy);
}

/** @throws HttpError `discrepancy_not_found` */
export async function readDiscrepancy(
  context: Context,
  asked: Pick<Asked, 'params'>,
): Promise<StoredDiscrepancy> {
  const discrepancy = await findDiscrepancy(context, rowId(asked, discrepancyErrors.discrepancy_not_found));
  if (!discrepancy) throw new HttpError(discrepancyErrors.discrepancy_not_found);
  return discrepancy;
}

export async function resolve(context: Context, asked: Asked): Promise<DoneKey> {
  const id = rowId(asked, discrepancyErrors.discrepancy_not_found);
  const decision = parseRequest(resolveSchema, decisionOf(asked));
  asked.log({ decision: decision.resolution });
  const outcome = await decideDiscrepancy(context, { id, ...decision, sent: asked.sent });
  return written(asked, outcome, discrepancyErrors.discrepancy_not_found);
}

export async function settleCharge(context: Context, asked: Asked): Promise<DoneKey> {
  const id = chargeId(asked);
  const decision = parseRequest(chargeDecisionSchema, decisionOf(asked));
  asked.log({ decision: decision.outcome });
  const outcome = await decideCharge(context, { id, ...decision, sent: asked.sent });
  if (outcome.kind === 'scheduled') throw new HttpError(chargeErrors.order_scheduled);
  return written(asked, outcome, chargeErrors.charge_not_found);
}

export async function settleRefund(context: Context, asked: Asked): Promise<DoneKey> {
  const id = rowId(asked, refundErrors.refund_not_found);
  const decision = parseRequest(refundDecisionSchema, decisionOf(asked));
  asked.log({ decision: decision.outcome });
  const outcome = await decideRefund(context, { id, ...decision, sent: asked.sent });
  return written(asked, outcome, refundErrors.refund_not_found);
}

export async function settleIssuance(context: Context, asked: Asked): Promise<DoneKey> {
  const id = rowId(asked, billingKeyErrors.issuance_not_found);
  const decision = parseRequest(issuanceDecisionSchema, decisionOf(asked));
  asked.log({ decision: decision.outcome });
  const outcome = await decideIssuance(context, { id, ...decision, sent: asked.sent });
  return written(asked, outcome, billingKeyErrors.issuance_not_found);
}

const NOT_FOUND: Record<NoteSubject, ErrorDefinition> = {
  discrepancy: discrepancyErrors.discrepancy_not_found,
  charge: chargeErrors.charge_not_found,
  refund: refundErrors.refund_not_found,
  issuance: billingKeyErrors.issuance_not_found,
  order: orderErrors.order_not_found,
};

const noteSchema = strictBody({ note: noteField });

/** Writes a note about a row, and resolves nothing. */
export async function note(context: Context, asked: Asked, subject: NoteSubject): Promise<DoneKey> {
  const { by, body, log } = asked;
  const notFound = NOT_FOUND[subject];
  const id = subjectId(asked, subject);
  const { note: text } = parseRequest(noteSchema, formFields(body));
  const isWritten = await writeNote(context, { subject, subjectId: id, writtenBy: by, text });
  if (!isWritten) throw new HttpError(notFound);
  log({ [`${subject}_id`]: id });
  return 'noted';
}

function subjectId(asked: Asked, subject: NoteSubject): string {
  if (subject === 'charge') return chargeId(asked);
  if (subject !== 'order') return String(rowId(asked, NOT_FOUND[subject]));
  const { merchant_uid: merchantUid } = asked.params;
  if (!isMerchantUid(merchantUid)) throw new HttpError(orderErrors.order_not_found);
  return merchantUid;
}

/** Makes an event due again for the targets that have not received it, or for every target if each has. */
export async function sendEventAgain(context: Context, { params, log }: Asked): Promise<DoneKey> {
  const id = params['event_id'] ?? '';
  const event = await replayEvent(context, id, missingTargets);
  if (!event) throw new HttpError(eventErrors.event_not_found);
  log({ event_id: id });
  deliverSoon(context);
  return 'replayed';
}

/** The decision is recorded with the name of the signed-in operator, whatever name the form has. */
function decisionOf({ by, body }: Asked): object {
  return { ...formFields(body), by };
}

function written(
  { log }: Asked,
  outcome: { kind: 'settled' } | NotDecided,
  notFound: ErrorDefinition,
): DoneKey {
  log({ outcome: outcome.kind });
  if (outcome.kind !== 'settled') throw decisionError(outcome, notFound);
  return 'settled';
}

function chargeId({ params: { id = '' } }: Asked): string {
  if (!isChargeId(id)) throw new HttpError(chargeErrors.charge_not_found);
  return id;
}

function rowId({ params: { id = '' } }: Pick<Asked, 'params'>, notFound: ErrorDefinition): bigint {
  if (!isRowId(id)) throw new HttpError(notFound);
  return BigInt(id);
}
