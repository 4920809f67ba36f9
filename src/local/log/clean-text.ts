// Cleans log text for a terminal. JSON escapes control characters; once parsed, a path or name from a request could move the
// cursor or forge a line.

/** Control characters, and characters that change the text direction or break the line. */
// eslint-disable-next-line no-control-regex -- control characters are intended
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Returns one line in which every character that acts on a terminal is escaped. */
export function cleanText(text: string): string {
  return text.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
