// The word that was probably meant by a misspelt one.

/** Returns null if no word is close: at most a third of the characters differ. */
export function closestWord(typed: string, words: readonly string[]): string | null {
  const [best] = words
    .map((word) => ({ word, distance: distanceOf(typed, word) }))
    .sort((one, other) => one.distance - other.distance);
  return best !== undefined && best.distance <= Math.max(1, typed.length / 3) ? best.word : null;
}

/** How many characters have to be added, removed or replaced (Levenshtein). */
export function distanceOf(one: string, other: string): number {
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
