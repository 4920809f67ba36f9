// The most common passwords of published leaks, 49,000 of them. They are in the package, so nothing is asked elsewhere.

import { dictionary } from '@zxcvbn-ts/language-common';

/** Made at the first use: most processes need no new password. */
let known: ReadonlySet<string> | undefined;

/**
 * Whether it is a common password, alone or several times, with or without digits at its ends.
 * @param letters in lower case, letters and digits alone
 */
export function isCommon(letters: string): boolean {
  known ??= new Set(dictionary['passwords-common']);
  const forms = [letters, letters.replace(/^\d+|\d+$/g, '')];
  return forms.some((form) => known?.has(form) || known?.has(repeatedPart(form)));
}

/** The shortest part of which a text is a repetition; the text itself if it is none. */
function repeatedPart(text: string): string {
  for (let length = 1; length <= text.length / 2; length += 1)
    if (text.length % length === 0 && text.startsWith(text.slice(length))) return text.slice(0, length);
  return text;
}
