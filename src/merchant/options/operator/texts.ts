// The texts of the operator pages in both languages. Each folder brings its own; the English ones must have the keys of the
// Korean ones to compile.

import type { Context, OperatorPages } from '../../platform/context';
import { accountsEn } from './accounts/texts.en';
import { accountsKo } from './accounts/texts.ko';
import { frameEn } from './frame/texts.en';
import { frameKo } from './frame/texts.ko';
import { wordsEn } from './frame/word-texts.en';
import { wordsKo } from './frame/word-texts.ko';
import { listsEn } from './lists/texts.en';
import { listsKo } from './lists/texts.ko';
import { queueEn } from './queue/texts.en';
import { queueKo } from './queue/texts.ko';
import { refundsEn } from './refunds/texts.en';
import { refundsKo } from './refunds/texts.ko';
import { thingsEn } from './things/texts.en';
import { thingsKo } from './things/texts.ko';

export const ko = {
  operator: {
    ...frameKo,
    ...wordsKo,
    ...listsKo,
    ...accountsKo,
    ...refundsKo,
    ...queueKo,
    ...thingsKo,
  },
};

export type OperatorTexts = typeof ko;

export const en: OperatorTexts = {
  operator: {
    ...frameEn,
    ...wordsEn,
    ...listsEn,
    ...accountsEn,
    ...refundsEn,
    ...queueEn,
    ...thingsEn,
  },
};

/** The texts of these pages, with those of the records of options, and the names of more pages. */
export function textsWith(
  features: Context['features'],
  more: readonly Pick<OperatorPages, 'path' | 'name'>[],
): { ko: OperatorTexts; en: OperatorTexts } {
  return { ko: merged(ko, 'ko'), en: merged(en, 'en') };

  function merged(own: OperatorTexts, lang: 'ko' | 'en'): OperatorTexts {
    const pages = more.map(({ path, name }): [string, string] => [
      path.slice(path.lastIndexOf('/') + 1),
      name[lang],
    ]);
    const subjects = { ...own.operator.subjects, ...Object.fromEntries(pages) };
    const operator = { ...own.operator, subjects };
    for (const { operatorRecords } of features)
      for (const [part, texts] of Object.entries(operatorRecords?.texts[lang] ?? {}))
        Object.assign(operator, {
          [part]: Object.assign({}, operator[part as keyof typeof operator], texts),
        });
    return { operator };
  }
}
