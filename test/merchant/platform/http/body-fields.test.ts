// Names and notes of decisions are stored permanently: no name may imitate another one or change the direction of the text.

import { byField, noteField } from '../../../../src/merchant/core/attempts/attempt-schema';
import { keptLine, shownLine } from '../../../../src/merchant/platform/http/body-fields';

const INVISIBLE: [string, string][] = [
  ['a zero-width space', '\u200b'],
  ['a zero-width joiner', '\u200d'],
  ['a right-to-left mark', '\u200f'],
  ['a right-to-left override', '\u202e'],
  ['an isolate', '\u2066'],
  ['a soft hyphen', '\u00ad'],
  ['a tag', '\u{e0041}'],
  ['a Hangul filler', '\u3164'],
  ['a combining grapheme joiner', '\u034f'],
  ['a variation selector behind a letter', '\ufe0f'],
];

test.each(INVISIBLE)('a name, note or reason with %s is refused', (_, character) => {
  for (const schema of [byField, noteField, keptLine(40), shownLine(40)]) {
    expect(schema.safeParse(`ki${character}m`).success).toBe(false);
    expect(schema.safeParse('kim').success).toBe(true);
  }
});

test.each(['김민수', '단순 변심 ❤️', '①차 환불 — 「차」', 'Ünïcode e\u0301', '漢字 かな'])(
  'the note %j is accepted unchanged',
  (text) => {
    expect(noteField.parse(text)).toBe(text);
    expect(byField.parse(text)).toBe(text);
  },
);
