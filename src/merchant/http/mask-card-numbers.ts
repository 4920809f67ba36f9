// A caller can put a card number where none belongs: into a path, into an id, or into the name of a field. Paths and ids
// are logged, and names of unknown fields are answered, so the number is masked there.

/**
 * 15 or 16 digits, in groups or not, that begin as cards do: 3 to 6, 9 for domestic cards, 22 to 27. Longer runs, and
 * those that begin with a year, are ids of orders. §4.2 says nothing about where else a card number may stand.
 */
const CARD_LIKE = /(?<=^|\D|%20)(?:[3-69]\d|2[2-7])(?:(?: |-|\.|_|\+|%20)?\d){13,14}(?!\d)/gi;

/** At most the first six and the last four digits of what looks like a card number stay. */
export function maskCardNumbers(text: string): string {
  return text.replace(CARD_LIKE, (run) => {
    const digits = run.replace(/%20|\D/g, '');
    return `${digits.slice(0, 6)}${'*'.repeat(digits.length - 10)}${digits.slice(-4)}`;
  });
}
