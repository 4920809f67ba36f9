// Writes the events of cards for the shop, in the transaction of the change.

import type { Statements } from '../../platform/database-transaction';
import type { CardEvent } from '../../shop/event';
import { nextVersion, saveEvents } from '../events/save-events';

type ChangedCard = {
  version: number;
  member_id: string;
  card_name: string | null;
  card_number: string | null;
};

/**
 * The row must have its new state already. A card that the shop has never heard of has no `card.removed`: its
 * registration was never confirmed.
 */
export async function saveCardEvent(
  run: Statements,
  customerUid: string,
  type: CardEvent['type'],
  occurredAt: Date,
): Promise<void> {
  const isRemoved = type === 'card.removed';
  const [card] = await run.$queryRaw<ChangedCard[]>`
    update billing_keys k set version = ${nextVersion('k')}
    where customer_uid = ${customerUid} and (version > 0 or not ${isRemoved})
    returning version, member_id, card_name, card_number`;
  if (!card) return;
  const stream = `card:${customerUid}`;
  await forgetNumber(run, stream);
  const data: CardEvent['data'] = {
    customer_uid: customerUid,
    member_id: card.member_id || null,
    version: card.version,
    card_name: card.card_name,
    card_number: isRemoved ? null : card.card_number,
  };
  await saveEvents(run, [{ stream, version: card.version, type, data, occurredAt }]);
}

/** The log of events keeps the masked number no longer than the row of the key does: only the newest event has it. */
async function forgetNumber(run: Statements, stream: string): Promise<void> {
  await run.$executeRaw`
    update events set data = data || '{"card_number": null}'
    where stream = ${stream} and data->>'card_number' is not null`;
}
