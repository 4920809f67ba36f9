// Does the service's record of a key (§4.7) show that the card we sent became the key? Pure. The registration itself and
// the recovery of a lost answer both decide by this.

export type IssuanceVerdict =
  /** The key is there, for the card that was sent. */
  | 'issued'
  /** There is no key, or still the one of the card before. */
  | 'missing'
  /** A new key is there, and it is not for the card that was sent. */
  | 'other_card';

type Sent = {
  replacesKey: boolean;
  cardLastFour: string;
  /** Null means that we never saw a record of the key before this issuance. */
  knownUpdatedAt: Date | null;
};
type Shown = { cardNumber: string | null; updatedAt: Date | null };

/**
 * @param sent what we know of the issuance
 * @param shown the record; null means that the service knows no such customer_uid
 * @param answeredIssued whether the service has answered the issuance with code 0 (§4.2)
 */
export function judgeIssuance(sent: Sent, shown: Shown | null, answeredIssued: boolean): IssuanceVerdict {
  if (shown === null) return 'missing';
  const isNewKey = isOfThisIssuance(sent, shown);
  if (!mayBeCard(shown.cardNumber, sent.cardLastFour)) return isNewKey ? 'other_card' : 'missing';
  // The card before may end in the same digits. Its unchanged record counts as ours only after code 0; and where we
  // never saw that record, nothing says that it is the card before.
  return isNewKey || answeredIssued || sent.knownUpdatedAt === null ? 'issued' : 'missing';
}

/**
 * Whether the record by itself proves that a key was made by this issuance. Under a new customer_uid every key was. A
 * replaced key has a later `updated` (§2.3) than the one before it: both times are of the service's clock.
 */
function isOfThisIssuance({ replacesKey, knownUpdatedAt }: Sent, { updatedAt }: Shown): boolean {
  if (!replacesKey) return true;
  return knownUpdatedAt !== null && updatedAt !== null && updatedAt > knownUpdatedAt;
}

/**
 * Compares the visible ones of the last four digits. Some card companies mask one of them. A record without a number
 * contradicts nothing.
 */
export function mayBeCard(masked: string | null, lastFour: string): boolean {
  const visible = (masked ?? '').replace(/[\s-]/g, '').slice(-4).padStart(4, '*');
  return [...visible].every((digit, index) => !/[0-9]/.test(digit) || digit === lastFour[index]);
}
