// A card number can come where none belongs: in a path, which is shown in the list of requests, or as the name of a field,
// which is answered.

/** Eleven digits or more, also in groups, become their first four. */
export function maskDigits(text: string): string {
  return text.replace(/\d{4}(?:(?:[ ._+-]|%2[Dd]|%20)?\d){7,}/g, (digits) => `${digits.slice(0, 4)}****`);
}
