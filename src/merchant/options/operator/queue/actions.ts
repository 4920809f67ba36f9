// What operators do about the items of the action queue: the use cases of the JSON API, with the name of the signed-in
// operator. Some of it is also on the pages of orders and payments.

import type { NoteSubject } from '../../../../generated/prisma/client';
import type { AttemptKind } from '../../../core/attempts/attempt-kind';
import { knownId } from '../../../core/attempts/attempt-parts';
import { isRowId, noteField } from '../../../core/attempts/attempt-schema';
import { decide } from '../../../core/attempts/decide-attempt';
import { decisionError, type DecisionOutcome } from '../../../core/attempts/decision';
import { issuanceAttempt } from '../../../core/billing-keys/attempt';
import { decideKeyOrThrow, keyDecisionSchema, toKeyDecision } from '../../../core/cards/key-routes';
import { chargeAttempt } from '../../../core/charges/attempt';
import { decideDiscrepancy } from '../../../core/discrepancies/decide-discrepancy';
import { discrepancyErrors } from '../../../core/discrepancies/errors';
import { discrepancyId, readDiscrepancy, resolveSchema } from '../../../core/discrepancies/routes';
import { findDiscrepancy } from '../../../core/discrepancies/store';
import { orderErrors } from '../../../core/orders/order-schema';
import { findOrder } from '../../../core/orders/order-store';
import type { ReportedIds } from '../../../core/payments/fetch-payment';
import { syncPayment } from '../../../core/payments/sync-payment';
import { refundAttempt } from '../../../core/refunds/attempt';
import { refundErrors } from '../../../core/refunds/refund-response';
import { isMerchantUid, isSvcUid } from '../../../payment-service/identifiers';
import type { Context } from '../../../platform/context';
import { HttpError } from '../../../platform/errors';
import { parseRequest, strictBody } from '../../../platform/http/body-fields';
import { formFields, type DoneKey, type OperatorRequest } from '../frame/page';
import { writeNote } from './note-store';

type Asked = Pick<OperatorRequest, 'by' | 'params' | 'body' | 'sent' | 'log'>;

/** Syncs a payment now, as a notification would. */
export async function checkAgain(context: Context, { log }: Asked, reported: ReportedIds): Promise<DoneKey> {
  const { outcome } = await syncPayment(context, reported);
  const ids = { svc_uid: reported.svcUid, merchant_uid: reported.merchantUid };
  log({ ...ids, outcome });
  return outcome === 'recorded' || outcome === 'unchanged' || outcome === 'queued' ? outcome : 'mismatch';
}

export async function checkDiscrepancyAgain(context: Context, asked: Asked): Promise<DoneKey> {
  const discrepancy = await readDiscrepancy(context, discrepancyId(asked.params['id']));
  if (!isSvcUid(discrepancy.svcUid)) throw new HttpError(refundErrors.svc_uid_unusable);
  return checkAgain(context, asked, discrepancy);
}

export async function resolve(context: Context, asked: Asked): Promise<DoneKey> {
  const id = discrepancyId(asked.params['id']);
  const decision = parseRequest(resolveSchema, decisionOf(asked));
  asked.log({ decision: decision.resolution });
  const outcome = await decideDiscrepancy(context, { id, ...decision, sent: asked.sent });
  return written(asked, outcome, DISCREPANCY);
}

/** An empty field of the form is no member. */
export async function decideAboutKey(context: Context, asked: Asked): Promise<DoneKey> {
  const id = discrepancyId(asked.params['id']);
  const { member_id: memberId, ...fields } = decisionOf(asked) as { member_id?: unknown };
  const body = parseRequest(keyDecisionSchema, {
    ...fields,
    ...(memberId !== '' && { member_id: memberId }),
  });
  asked.log({ decision: body.outcome });
  await decideKeyOrThrow(context, { id, ...toKeyDecision(body), sent: asked.sent }, asked.log);
  return 'settled';
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
type Subject = Pick<AttemptKind, 'isId' | 'notFound'> & {
  find(context: Context, id: string): Promise<object | null>;
};
const SUBJECTS: Record<NoteSubject, Subject> = {
  discrepancy: { ...DISCREPANCY, find: (context, id) => findDiscrepancy(context, BigInt(id)) },
  charge: chargeAttempt,
  refund: refundAttempt,
  issuance: issuanceAttempt,
  order: { isId: isMerchantUid, notFound: orderErrors.order_not_found, find: findOrder },
};

const noteSchema = strictBody({ note: noteField });

/** Writes a note about a row, and resolves nothing. */
export async function note(context: Context, asked: Asked, subject: NoteSubject): Promise<DoneKey> {
  const { by, params, body, log } = asked;
  const kind = SUBJECTS[subject];
  const id = knownId(kind, params['id'] ?? params['merchant_uid']);
  const { note: text } = parseRequest(noteSchema, formFields(body));
  if (!(await kind.find(context, id))) throw new HttpError(kind.notFound);
  await writeNote(context, { subject, subjectId: id, writtenBy: by, text });
  log({ [`${subject}_id`]: id });
  return 'noted';
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
