// No text is missing in a language, and the Korean ones are polite. That both have the same ones holds the compiler.

import { en } from '../../../src/merchant/locales/en';
import { ko } from '../../../src/merchant/locales/ko';

/** Every text with its path, such as "form.cardNumber". */
function texts(part: object, path = ''): [string, string][] {
  return Object.entries(part).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value]] : texts(value as object, `${path}${key}.`),
  );
}

test('no text is empty, and the English ones have no Korean in them but the name of the language', () => {
  for (const [, text] of [...texts(ko), ...texts(en)]) expect(text.trim()).not.toBe('');
  expect(texts(en).filter(([, text]) => /[\u3131-\ud79d]/.test(text))).toEqual([]);
});

test('the Korean problems, notices and errors say what to do politely (해요체)', () => {
  const { problems, notices, errors } = ko;
  const sentences = texts({ problems, notices, errors }).filter(([path]) => !path.endsWith('title'));
  for (const [, text] of sentences) expect(text).toMatch(/요\.$/);
});
