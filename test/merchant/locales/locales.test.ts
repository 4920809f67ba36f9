// Both languages have the same texts, none is empty, and the Korean ones are polite.

import { en } from '../../../src/merchant/locales/en';
import { ko } from '../../../src/merchant/locales/ko';

/** Every text with its path, such as "form.cardNumber". */
function texts(part: object, path = ''): [string, string][] {
  return Object.entries(part).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value]] : texts(value as object, `${path}${key}.`),
  );
}

test('both languages have the same texts, and none is empty', () => {
  expect(texts(en).map(([path]) => path)).toEqual(texts(ko).map(([path]) => path));
  for (const [, text] of [...texts(ko), ...texts(en)]) expect(text.trim()).not.toBe('');
});

test('the English ones have no Korean in them but the name of the language', () => {
  expect(texts(en).filter(([, text]) => /[\u3131-\ud79d]/.test(text))).toEqual([]);
});

test('the Korean problems, notices and errors say what to do politely (해요체)', () => {
  const { problems, notices, errors } = ko;
  const sentences = texts({ problems, notices, errors }).filter(([path]) => !path.endsWith('title'));
  for (const [, text] of sentences) expect(text).toMatch(/요\.$/);
});
