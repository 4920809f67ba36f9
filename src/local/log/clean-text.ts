// What comes out of a log and goes to a terminal. JSON writes control characters as escapes; as text they would reach the
// terminal, and a path or a name that somebody chose could then move the cursor or forge a line.

/** Control characters, and those that turn the direction of the text or break the line. */
// eslint-disable-next-line no-control-regex -- these are meant
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** On one line, with every character that acts on a terminal written as an escape. */
export function cleanText(text: string): string {
  return text.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
