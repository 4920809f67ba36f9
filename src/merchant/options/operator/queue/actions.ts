// Operators' actions on a payment or on items that need a person: the use cases of the JSON API, with the name of the
// signed-in operator.

import { z } from 'zod';
import type { NoteSubject } from '../../../../generated/prisma/client';
import type { AttemptKind } from '../../../core/attempts/attempt-kind';
import { knownId } from '../../../core/attempts/attempt-parts';
import { isRowId, noteField } from '../../../core/attempts/attempt-schema';
import { decide } from '../../../core/attempts/decide-attempt';
import { decisionError, type DecisionOutcome } from '../../../core/attempts/decision';
import { issuanceAttempt } from '../../../core/billing-keys/attempt';
import { chargeAttempt } from '../../../core/charges/attempt';
import { decideDiscrepancy } from '../../../core/discrepancies/decide-discrepancy';
import { discrepancyErrors } from '../../../core/discrepancies/errors';
import { resolveSchema } from '../../../core/discrepancies/routes';
import { findDiscrepancy, type StoredDiscrepancy } from '../../../core/discrepancies/store';
import { missingTargets, replayEvent } from '../../../core/events/deliver-events';
import { eventErrors } from '../../../core/events/event-list';
import { deliverSoon } from '../../../core/events/save-events';
import { orderErrors } from '../../../core/orders/order-schema';
import { enterDispute } from '../../../core/payments/enter-dispute';
import type { ReportedIds } from '../../../core/payments/fetch-payment';
import { paymentErrors } from '../../../core/payments/payment-schema';
import { findPayment } from '../../../core/payments/payment-store';
import { syncPayment } from '../../../core/payments/sync-payment';
import { refundAttempt } from '../../../core/refunds/attempt';
import { refundDiscrepancy } from '../../../core/refunds/refund-discrepancy';
import { refundPayment } from '../../../core/refunds/refund-payment';
import { refundErrors, refundResponse } from '../../../core/refunds/refund-response';
import { isMerchantUid, isSvcUid } from '../../../payment-service/identifiers';
import type { Context } from '../../../platform/context';
import { HttpError } from '../../../platform/errors';
import { parseRequest, strictBody } from '../../../platform/http/body-fields';
import { platformErrors } from '../../../platform/platform-errors';
import { readAmount } from '../frame/formats';
import { writeNote } from './note-store';
import type { DoneKey, OperatorRequest } from '../frame/page';
import { formFields, parseDiscrepancyRefund, parseRefund } from '../refunds/refund-input';

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
  const id = discrepancyId(asked);
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
  const discrepancy = await findDiscrepancy(context, discrepancyId(asked));
  if (!discrepancy) throw new HttpError(discrepancyErrors.discrepancy_not_found);
  return discrepancy;
}

export async function resolve(context: Context, asked: Asked): Promise<DoneKey> {
  const id = discrepancyId(asked);
  const decision = parseRequest(resolveSchema, decisionOf(asked));
  asked.log({ decision: decision.resolution });
  const outcome = await decideDiscrepancy(context, { id, ...decision, sent: asked.sent });
  return written(asked, outcome, DISCREPANCY);
}

/** Issuances, charges and refunds, about which operators decide. */
export const ATTEMPTS: readonly AttemptKind[] = [chargeAttempt, refundAttempt, issuanceAttempt];

export async function decideAttempt(context: Context, asked: Asked, kind: AttemptKind): Promise<DoneKey> {
  const id = knownId(kind, asked.params['id']);
  const decision = parseRequest(kind.decision.schema, decisionOf(asked));
  asked.log({ decision: decision.outcome });
  const outcome = await decide(context, kind, id, { ...decision, sent: asked.sent });
  return written(asked, outcome, kind);
}

const DISCREPANCY = { isId: isRowId, notFound: discrepancyErrors.discrepancy_not_found };
const SUBJECTS: Record<NoteSubject, Pick<AttemptKind, 'isId' | 'notFound'>> = {
  discrepancy: DISCREPANCY,
  charge: chargeAttempt,
  refund: refundAttempt,
  issuance: issuanceAttempt,
  order: { isId: isMerchantUid, notFound: orderErrors.order_not_found },
};

const noteSchema = strictBody({ note: noteField });

/** Writes a note about a row, and resolves nothing. */
export async function note(context: Context, asked: Asked, subject: NoteSubject): Promise<DoneKey> {
  const { by, params, body, log } = asked;
  const kind = SUBJECTS[subject];
  const id = knownId(kind, params['id'] ?? params['merchant_uid']);
  const { note: text } = parseRequest(noteSchema, formFields(body));
  const isWritten = await writeNote(context, { subject, subjectId: id, writtenBy: by, text });
  if (!isWritten) throw new HttpError(kind.notFound);
  log({ [`${subject}_id`]: id });
  return 'noted';
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
  outcome: DecisionOutcome,
  { notFound, scheduled }: Pick<AttemptKind, 'notFound' | 'scheduled'>,
): DoneKey {
  log({ outcome: outcome.kind });
  if (outcome.kind !== 'settled') throw decisionError(outcome, notFound, scheduled);
  return 'settled';
}

const discrepancyId = ({ params }: Pick<Asked, 'params'>) => BigInt(knownId(DISCREPANCY, params['id']));
