// Makes a key-in payment (§4.3): registers the order if it is new, takes a first payment with the card and, with a
// customer_uid, stores the key under it, all in one call. The card is sent but stored in no row, job or log, so the
// call cannot be sent again.

import { recoverAttempt } from '../../core/attempts/recover-attempt';
import { bestEffort } from '../../core/attempts/send-once';
import { markDeclined, startIssuance, type NewIssuance } from '../../core/billing-keys/issuance-store';
import { issuanceRecovery } from '../../core/billing-keys/recover-issuance';
import { toCustomData } from '../../core/charges/charge-id';
import { closeCharge } from '../../core/charges/charge-store';
import { startCharge, type NotJudged, type NotStarted } from '../../core/charges/start-charges';
import { submitCharge, type SubmittedCharge } from '../../core/charges/submit-charge';
import type { NewOrder } from '../../core/orders/order-store';
import { chargedFields } from '../../core/orders/payment-fields';
import { registerOrder } from '../../core/orders/register-order';
import type { KeyInCard } from '../../payment-service/billing-keys';
import type { Context } from '../../platform/context';
import { addTo, countTry } from '../../platform/limit-store';
import { settingsOf } from '../../platform/settings';
import { cardBucket, cardTryCounters } from './limit-try';
import { cardFormSettings, isUnlimited } from './settings';

export type OnetimePayment = {
  order: NewOrder;
  card: KeyInCard;
  /** The customer_uid to store the key under; null if it is not stored. */
  key: Pick<NewIssuance, 'customerUid' | 'memberId' | 'consent'> | null;
  /** Where the payment is made; absent for that of CARD_PG, or the service's default. */
  pg?: string | undefined;
};

export type OnetimeOutcome =
  | SubmittedCharge
  | { kind: NotStarted['kind'] | NotJudged['kind'] }
  /** The merchant_uid is registered with another amount, currency or member. */
  | { kind: 'order_conflict' }
  /** The customer_uid has a key, or one is being issued. Only the member's own form can replace a card (§1). */
  | { kind: 'customer_uid_in_use' }
  /** This card was tried too often, by any caller. Nothing was written or sent. */
  | { kind: 'card_tried_too_often'; retryAfterSeconds: number };

/** Outcomes that say, or may say, something about the card. A paid one does not count as a try. */
const TRIES: readonly OnetimeOutcome['kind'][] = ['declined', 'refused', 'unknown', 'needs_review'];

/**
 * Does not send a card that is declined again and again. The browser is unknown here, so no other limit applies.
 * @throws ServiceError if the service could not be asked for payments of the order, DatabaseError when the payment or
 * the key could not be written; nothing was then sent
 */
export async function payOnetime(context: Context, payment: OnetimePayment): Promise<OnetimeOutcome> {
  const { cardNumber } = payment.card;
  const buckets = isUnlimited(context, cardNumber) ? [] : [cardBucket(context, cardNumber)];
  const full = await countTry(context, buckets);
  if (full) {
    context.metrics.count(cardTryCounters.cardLimits, { limit: 'card' });
    return { kind: 'card_tried_too_often', retryAfterSeconds: full.retryAfterSeconds };
  }
  let isTry = false;
  try {
    const outcome = await payWithCard(context, payment);
    isTry = TRIES.includes(outcome.kind);
    return outcome;
  } finally {
    if (!isTry) await bestEffort(context, () => addTo(context, buckets, -1));
  }
}

async function payWithCard(
  context: Context,
  { order, card, key, pg }: OnetimePayment,
): Promise<OnetimeOutcome> {
  const registered = await registerOrder(context, order);
  if (registered.outcome === 'conflict') return { kind: 'order_conflict' };
  const { merchantUid, amount, name } = order;
  const fields = chargedFields(registered.order, order);
  const customerUid = key?.customerUid ?? null;
  const started = await startCharge(context, { merchantUid, kind: 'onetime', customerUid, scheduleAt: null });
  if (!('charge' in started)) return started;
  const { charge } = started;

  // The same row as that of a posted form, so that no key can exist without one.
  const cardLastFour = card.cardNumber.slice(-4);
  const issuance =
    key && (await startIssuance(context, { ...key, formNonce: charge.id, replacesKey: false, cardLastFour }));
  if (typeof issuance === 'string') {
    await closeCharge(context, charge.id, 'not_executed', { reason: 'customer_uid_in_use' });
    return { kind: 'customer_uid_in_use' };
  }
  const submitted = await submitCharge(context, charge, () =>
    context.service.payOnetime({
      ...fields,
      merchantUid,
      amount,
      name,
      card,
      customerUid: key?.customerUid,
      pg: pg ?? settingsOf(context.config, cardFormSettings).CARD_PG,
      customData: toCustomData(charge.id, fields.customData),
    }),
  );
  if (issuance) await followIssuance(context, issuance.id, submitted);
  return submitted;
}

/**
 * The answer is only about the payment, and a declined payment may leave a key or not (§4.3 does not say). So we ask
 * for the key (§4.7) now, and poll if that does not resolve it. Never throws: the outcome of the payment is already
 * known, and the issuance can be recovered from its row.
 */
async function followIssuance(context: Context, id: bigint, submitted: SubmittedCharge): Promise<void> {
  await bestEffort(context, () =>
    submitted.kind === 'not_executed'
      ? markDeclined(context, { id, replacesKey: false }, 'not_executed')
      : recoverAttempt(context, issuanceRecovery, String(id)),
  );
}
