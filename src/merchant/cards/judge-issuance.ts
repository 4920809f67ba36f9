// Does the service's record (§4.7) show that the card we sent became the key? Pure; both who asked for the issuance
// and who clears up a lost answer decide by this.

export type IssuanceVerdict =
  /** The key is there, for the card that was sent. */
  | 'issued'
  /** No key, or still the one of the card before. */
  | 'missing'
  /** A new key is there, and it is not the card that was sent. */
  | 'other_card';

type Sent = { replacesKey: boolean; cardLastFour: string; knownUpdatedAt: Date | null };
type Seen = { cardNumber: string | null; updatedAt: Date | null };

/**
 * @param sent what we know of the issuance
 * @param seen the record, null where the service knows no such customer_uid
 * @param confirmed the service has answered the issuance with code 0 (§4.2), so that a matching card needs no other
 *   sign. Without that, a replaced key shows by its `updated` (§2.3), on the service's clock alone.
 */
export function judgeIssuance(sent: Sent, seen: Seen | null, confirmed: boolean): IssuanceVerdict {
  if (seen === null) return 'missing';
  const before = sent.knownUpdatedAt;
  const isNewer =
    !sent.replacesKey || (before !== null && seen.updatedAt !== null && seen.updatedAt > before);
  if (!endsLike(seen.cardNumber, sent.cardLastFour)) return isNewer ? 'other_card' : 'missing';
  return isNewer || confirmed || before === null ? 'issued' : 'missing';
}

/**
 * Compares what is visible of the last four digits. Some card companies mask one of them, and a record without a
 * number contradicts nothing: the customer_uid was made by us, for this one card.
 */
function endsLike(masked: string | null, lastFour: string): boolean {
  const visible = (masked ?? '').replace(/[\s-]/g, '').slice(-4).padStart(4, '*');
  return [...visible].every((digit, index) => !/[0-9]/.test(digit) || digit === lastFour[index]);
}
