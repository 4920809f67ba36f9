// Excerpts of source files on pages: `<!-- from: path -->` in front of a block of code.

/**
 * The pieces between lines of "…" must be in the source in this order. Blanks do not count, nor a comma or semicolon at an
 * end. Returns the first missing piece, or null.
 */
export function missingPiece(source: string, excerpt: string): string | null {
  const text = squeezed(source);
  let from = 0;
  for (const piece of excerpt.split(/^\s*(?:\/\/ )?…$/m).map(squeezed)) {
    const at = text.indexOf(piece, from);
    if (at === -1) return piece;
    from = at + piece.length;
  }
  return null;
}

const squeezed = (text: string) => text.replace(/\s+/g, '').replace(/,(?=[)\]}])|[,;]$/g, '');
