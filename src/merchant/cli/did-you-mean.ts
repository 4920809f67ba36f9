// Suggests the word that a person meant.

/** The end of a sentence: "; did you mean --live?", or "." if no word is close. */
export function didYouMean(typed: string, words: readonly string[]): string {
  const plain = typed.replace(/^-+/, '').toLowerCase();
  const [best] = words
    .map((word) => ({ word, distance: distanceOf(plain, word.replace(/^-+/, '')) }))
    .sort((one, other) => one.distance - other.distance);
  return best !== undefined && best.distance <= Math.max(1, plain.length / 3)
    ? `; did you mean ${best.word}?`
    : '.';
}

/** How many characters have to be added, removed or replaced (Levenshtein). */
function distanceOf(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [row, character] of [...one].entries()) {
    const current = [row + 1];
    for (let column = 0; column < other.length; column += 1) {
      const replaced = (previous[column] ?? 0) + (character === other[column] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[other.length] ?? 0;
}
