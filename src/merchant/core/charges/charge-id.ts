// The id of a charge. It is sent in `custom_data` (§2.4: echoed), together with the merchant's own data, so that a
// payment itself names its charge. Times and amounts need not be compared, and an earlier payment cannot be mistaken
// for this one.

import { randomLetters } from '../../platform/random-letters';

/** 128 random bits. */
export const newChargeId = (): string => randomLetters(16);

/** Any other text cannot be an id. */
export const isChargeId = (id: string): boolean => /^[\w-]{1,32}$/.test(id);

/** @param customData the merchant's own, as JSON text */
export function toCustomData(chargeId: string, customData?: string): string {
  const charge = `"charge":${JSON.stringify(chargeId)}`;
  return customData === undefined ? `{${charge}}` : `{${charge},"custom_data":${customData}}`;
}

/** The start of a `toCustomData` text, allowing for the whitespace of a service that reformats JSON. */
const FIRST_IS_CHARGE = /^\s*\{\s*"charge"\s*:\s*"([a-p]+)"/;

/**
 * Whether a record of the service (§2.4, §2.5) comes from this charge. Masking a number that looks like a card's can
 * make the merchant's part invalid JSON. The id stands before it and can still be read.
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
