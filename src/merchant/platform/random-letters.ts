// Ids of random letters.

import { randomBytes } from 'node:crypto';

/** Two of the letters a to p for each byte. Digits could look like a card number, and be masked. */
export function randomLetters(bytes: number): string {
  return randomBytes(bytes)
    .toString('hex')
    .replace(/[0-9]/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
}
