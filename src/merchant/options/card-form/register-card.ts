// Registers a card as a billing key (§1, §4.2). The issuance is written before the call and the card is sent once, so
// no key can exist without a row. `billing-keys/recover-issuance.ts` recovers lost answers.

import { pollLater } from '../../core/attempts/recover-attempt';
import { bestEffort, sendOnce } from '../../core/attempts/send-once';
import {
  markDeclined,
  startIssuance,
  type NewIssuance,
  type StartedIssuance,
} from '../../core/billing-keys/issuance-store';
import { ISSUED_NOT_SEEN, recordKeyOutcome } from '../../core/billing-keys/recover-issuance';
import type { CardInput } from '../../payment-service/billing-keys';
import { ServiceError } from '../../payment-service/records/service-error';
import type { Context } from '../../platform/context';
import { DatabaseError } from '../../platform/errors';
import { settingsOf } from '../../platform/settings';
import { cardFormSettings } from './settings';

type Registration = Omit<NewIssuance, 'cardLastFour'> & { card: CardInput };

export type RegistrationOutcome =
  | { kind: 'registered' }
  /**
   * The service refused the card. The client has masked and shortened its message, which is for the log and never shown
   * on a page.
   */
  | { kind: 'declined'; serviceMessage: string | null }
  /** The form was posted before; nothing was sent again. */
  | { kind: 'form_in_use' }
  /** Another issuance for this key is unresolved; nothing was sent. */
  | { kind: 'key_in_use' }
  /** There is no key to replace; nothing was sent. */
  | { kind: 'no_key' }
  /** The service may have the key; it is polled. */
  | { kind: 'unknown' }
  /** The service cannot be reached or does not accept our call; nothing was issued. */
  | { kind: 'cannot_start' };

/**
 * Call `limitTry` first, which counts the try, and `watchDeclines` afterwards.
 * @throws DatabaseError when the issuance could not be written; nothing was then sent
 */
export async function registerCard(
  context: Context,
  { card, ...registration }: Registration,
): Promise<RegistrationOutcome> {
  const cardLastFour = card.cardNumber.slice(-4);
  const issuance = await startIssuance(context, { ...registration, cardLastFour });
  return typeof issuance === 'string' ? { kind: issuance } : issueKey(context, issuance, card);
}

async function issueKey(
  context: Context,
  issuance: StartedIssuance,
  card: CardInput,
): Promise<RegistrationOutcome> {
  const call = await sendOnce(() =>
    context.service.issueBillingKey(
      issuance.customerUid,
      card,
      settingsOf(context.config, cardFormSettings).CARD_PG ?? null,
    ),
  );
  switch (call.kind) {
    case 'answered':
      return confirmIssued(context, issuance);
    case 'unknown':
      return pollForOutcome(context, issuance, call.reason);
    case 'refused':
      await bestEffort(context, () => markDeclined(context, issuance, call.reason));
      // A 404 says nothing about the card (§7.2 shows none for an issuance).
      return call.isNotFound
        ? { kind: 'cannot_start' }
        : { kind: 'declined', serviceMessage: call.serviceMessage };
    case 'not_executed':
      await bestEffort(context, () => markDeclined(context, issuance, call.reason));
      return { kind: 'cannot_start' };
  }
}

/**
 * After code 0 the key exists. Its record (§4.7) confirms that it is the card that was sent, and has the masked number.
 */
async function confirmIssued(context: Context, issuance: StartedIssuance): Promise<RegistrationOutcome> {
  try {
    switch (await recordKeyOutcome(context, issuance, true)) {
      case 'issued':
        return { kind: 'registered' };
      case 'other_card':
        return { kind: 'unknown' };
      case 'missing':
        break;
    }
  } catch (error) {
    if (!(error instanceof ServiceError || error instanceof DatabaseError)) throw error;
    const { customerUid } = issuance;
    context.logger.warn({ err: error, event: 'issued_card_not_confirmed', customer_uid: customerUid });
  }
  return pollForOutcome(context, issuance, ISSUED_NOT_SEEN);
}

async function pollForOutcome(
  context: Context,
  { id }: StartedIssuance,
  reason: string,
): Promise<RegistrationOutcome> {
  await pollLater(context, 'issuance', id, reason);
  return { kind: 'unknown' };
}
