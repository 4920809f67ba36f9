// A key-in payment (§4.3): the order is registered where it is new, a first payment is taken with the card, and, where
// a customer_uid is given, the key is stored under it, all in one call. The card is sent and not kept: it is in no row,
// no job and no log, so we cannot send this call again.

import type { CardInput } from '../../payment-service/billing-keys';
import type { Context } from '../../platform/context';
import { recoverAttempt } from '../attempts/recover-attempt';
import { bestEffort } from '../attempts/send-once';
import { markDeclined, startIssuance, type NewIssuance } from '../billing-keys/billing-key-store';
import { billingKeyCounters, countAttempt, takeBackCardTry } from '../billing-keys/limit-card';
import { issuanceRecovery } from '../billing-keys/recover-issuance';
import type { NewOrder } from '../orders/order-store';
import { chargedFields } from '../orders/payment-fields';
import { registerOrder } from '../orders/register-order';
import { toCustomData } from './charge-id';
import { closeCharge } from './charge-store';
import { startCharge, type NotJudged, type NotStarted } from './start-charges';
import { submitCharge, type SubmittedCharge } from './submit-charge';

export type OnetimePayment = {
  order: NewOrder;
  card: CardInput;
  /** Under which the key is stored; null where it is not stored. */
  key: Pick<NewIssuance, 'customerUid' | 'memberId' | 'consent'> | null;
  /** Where the payment is made; absent: where the service makes it by itself. */
  pg?: string | undefined;
};

export type OnetimeOutcome =
  | SubmittedCharge
  | { kind: NotStarted['kind'] | NotJudged['kind'] }
  /** The merchant_uid is registered with another amount, currency or member. */
  | { kind: 'order_conflict' }
  /** The customer_uid has a key, or one is being issued: replacing it (§1) is for the member's own form. */
  | { kind: 'customer_uid_in_use' }
  /** One card was tried too often, whoever asked for it: nothing was written or sent. */
  | { kind: 'card_tried_too_often'; retryAfterSeconds: number };

/** The payments that say, or may say, something about a card. One that was paid is no try of a card. */
const TRIES: readonly OnetimeOutcome['kind'][] = ['declined', 'refused', 'unknown', 'needs_review'];

/**
 * A card that is declined again and again is not sent any more. The browser is unknown here, so that no other limit can be
 * applied.
 * @throws ServiceError where the service could not be asked for payments of the order, DatabaseError when the payment or
 * the key could not be written: then nothing was sent
 */
export async function payOnetime(context: Context, payment: OnetimePayment): Promise<OnetimeOutcome> {
  const { cardNumber } = payment.card;
  const retryAfterSeconds = await countAttempt(context, 'card', cardNumber);
  if (retryAfterSeconds !== null) {
    context.metrics.count(billingKeyCounters.cardLimits, { limit: 'card' });
    return { kind: 'card_tried_too_often', retryAfterSeconds };
  }
  let isTry = false;
  try {
    const outcome = await payWithCard(context, payment);
    isTry = TRIES.includes(outcome.kind);
    return outcome;
  } finally {
    if (!isTry) await bestEffort(context, () => takeBackCardTry(context, cardNumber));
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

  const issuance = key && (await startIssuanceOf(context, charge.id, key, card));
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
      pg,
      customData: toCustomData(charge.id, fields.customData),
    }),
  );
  if (issuance) await followIssuance(context, issuance.id, submitted);
  return submitted;
}

/** The same row as for a posted form, so that no key can arise without one; the id of the charge is its nonce. */
function startIssuanceOf(
  context: Context,
  chargeId: string,
  key: NonNullable<OnetimePayment['key']>,
  { cardNumber }: CardInput,
) {
  const cardLastFour = cardNumber.slice(-4);
  return startIssuance(context, { ...key, formNonce: chargeId, replacesKey: false, cardLastFour });
}

/**
 * The answer speaks of the payment alone, and a declined payment may leave a key or none (§4.3 is silent): §4.7 is asked
 * now, and again where that settles nothing. Never throws: the outcome of the payment is known by now, and the
 * issuance is found again from its row.
 */
async function followIssuance(context: Context, id: bigint, submitted: SubmittedCharge): Promise<void> {
  await bestEffort(context, () =>
    submitted.kind === 'not_executed'
      ? markDeclined(context, { id, replacesKey: false }, 'not_executed')
      : recoverAttempt(context, issuanceRecovery, String(id)),
  );
}
