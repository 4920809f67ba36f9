// Decides by the service's record of a key (§4.7) whether the card that we sent became the key. Pure. Used by
// registration and by the recovery of lost answers.

export type IssuanceVerdict =
  /** The key exists, for the card that was sent. */
  | 'issued'
  /** There is no key, or it is still the one of the previous card. */
  | 'missing'
  /** There is a new key, but for another card than was sent. */
  | 'other_card';

type Sent = {
  replacesKey: boolean;
  cardLastFour: string;
  /** Null if we never saw a record of the key before this issuance. */
  knownUpdatedAt: Date | null;
};
type Shown = { cardNumber: string | null; updatedAt: Date | null };

/**
 * @param sent what we know of the issuance
 * @param shown the record; null if the service knows no such customer_uid
 * @param answeredIssued whether the service answered the issuance with code 0 (§4.2)
 */
export function judgeIssuance(sent: Sent, shown: Shown | null, answeredIssued: boolean): IssuanceVerdict {
  if (shown === null) return 'missing';
  const isNewKey = isOfThisIssuance(sent, shown);
  if (!mayBeCard(shown.cardNumber, sent.cardLastFour)) return isNewKey ? 'other_card' : 'missing';
  // The previous card may end in the same digits. Its unchanged record counts as ours only after code 0, or if we never
  // saw that record.
  return isNewKey || answeredIssued || sent.knownUpdatedAt === null ? 'issued' : 'missing';
}

/**
 * Whether the record alone proves that this issuance made the key. For a new customer_uid it always does. A replaced
 * key has a later `updated` (§2.3) than before; both times are from the service's clock.
 */
function isOfThisIssuance({ replacesKey, knownUpdatedAt }: Sent, { updatedAt }: Shown): boolean {
  if (!replacesKey) return true;
  return knownUpdatedAt !== null && updatedAt !== null && updatedAt > knownUpdatedAt;
}

/**
 * Compares the visible digits of the last four, because some card companies mask one of them. A record without a number
 * matches any card.
 */
export function mayBeCard(masked: string | null, lastFour: string): boolean {
  const visible = (masked ?? '').replace(/[\s-]/g, '').slice(-4).padStart(4, '*');
  return [...visible].every((digit, index) => !/[0-9]/.test(digit) || digit === lastFour[index]);
}
