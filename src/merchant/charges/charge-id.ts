// The id of one charge. It travels as `custom_data` (§2.4: echoed), so that a payment tells by itself which charge it
// comes from: neither clocks nor amounts have to be compared, and an earlier payment cannot be taken for this one.

import { randomBytes } from 'node:crypto';

/** 128 random bits in the letters a to p: digits could be taken for a card number and masked in a stored record. */
export function newChargeId(): string {
  return randomBytes(16)
    .toString('hex')
    .replace(/[0-9]/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
}

export function toCustomData(chargeId: string): string {
  return JSON.stringify({ charge: chargeId });
}

/** Whether a record of the service (§2.4, §2.5) comes from this charge. */
export function belongsToCharge(
  chargeId: string,
  record: { raw: Readonly<Record<string, unknown>> },
): boolean {
  const customData = record.raw['custom_data'];
  if (typeof customData !== 'string') return false;
  try {
    return (JSON.parse(customData) as { charge?: unknown } | null)?.charge === chargeId;
  } catch {
    return false;
  }
}
