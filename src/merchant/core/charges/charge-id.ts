// The id of one charge. It travels in `custom_data` (§2.4: echoed), beside what the merchant sends along itself, so that a
// payment tells by itself which charge it comes from: neither clocks nor amounts have to be compared, and an earlier
// payment cannot be taken for this one.

import { randomBytes } from 'node:crypto';

/** 128 random bits in the letters a to p: digits could be taken for a card number and masked in a stored record. */
export function newChargeId(): string {
  return randomBytes(16)
    .toString('hex')
    .replace(/[0-9]/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
}

/** @param customData the merchant's own, as JSON text */
export function toCustomData(chargeId: string, customData?: string): string {
  const charge = `"charge":${JSON.stringify(chargeId)}`;
  return customData === undefined ? `{${charge}}` : `{${charge},"custom_data":${customData}}`;
}

/** How `toCustomData` begins, with the blanks of a service that writes JSON in its own way. */
const FIRST_IS_CHARGE = /^\s*\{\s*"charge"\s*:\s*"([a-p]+)"/;

/**
 * Whether a record of the service (§2.4, §2.5) comes from this charge. In a record a number that looks like a card's is
 * masked, and then the merchant's part is no JSON any more: the id in front of it is read all the same.
 */
export function belongsToCharge(
  chargeId: string,
  record: { raw: Readonly<Record<string, unknown>> },
): boolean {
  const customData = record.raw['custom_data'];
  if (typeof customData !== 'string') return false;
  try {
    return (JSON.parse(customData) as { charge?: unknown } | null)?.charge === chargeId;
  } catch {
    return FIRST_IS_CHARGE.exec(customData)?.[1] === chargeId;
  }
}
