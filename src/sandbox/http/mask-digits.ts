// Masks card numbers in unexpected places: in a path, which the list of requests shows, or in a field name, which an error
// message repeats.

/** Shortens eleven or more digits, also in groups, to the first four. */
export function maskDigits(text: string): string {
  return text.replace(/\d{4}(?:(?:[ ._+-]|%2[Dd]|%20)?\d){7,}/g, (digits) => `${digits.slice(0, 4)}****`);
}
