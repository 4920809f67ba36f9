// An amount as a person types it: whole, in the unit of its currency (§2.4), with or without separators of thousands.

const WHOLE = /^[1-9]\d*$/;
const GROUPED = /^[1-9]\d{0,2}(,\d{3})+$/;

/**
 * NaN for everything that could be read in two ways: `1.000` is a thousand in some countries and one in others. `Number`
 * alone would also take `1e3` and `0x10`.
 */
export function readAmount(typed: string): number {
  const text = typed.trim();
  if (!WHOLE.test(text) && !GROUPED.test(text)) return NaN;
  const amount = Number(text.replaceAll(',', ''));
  return Number.isSafeInteger(amount) ? amount : NaN;
}
