// The page in place of the form while no card is taken: it says why, and when to try again. It is no form, so that nobody
// types a card in vain.

import { withReturnUrl } from '../../platform/http/return-url';
import type { Page } from '../../platform/http/views';
import type { FormPage } from './form-page';
import type { FormRefusal } from './limit-attempt';
import { en } from './texts.en';
import { ko, type CardTexts } from './texts.ko';

/** One text for member, address and card: nobody learns which it was. */
export function refusalPage(
  { replaces, returnUrl }: Pick<FormPage, 'replaces' | 'returnUrl'>,
  refusal: FormRefusal,
): Page<CardTexts> {
  const { kind } = refusal;
  return {
    status: 429,
    template: 'cards/card-refusal',
    texts: { ko, en },
    title: ({ refusals }) => refusals[kind].title,
    isError: true,
    path: withReturnUrl(replaces === null ? '/cards/new' : `/cards/${replaces}/replace`, returnUrl),
    data: {
      kind,
      returnUrl,
      cardsHeld: kind === 'cards_held' ? refusal.cardsHeld : null,
      wait: kind === 'cards_held' ? null : (lang: string) => waitIn(lang, refusal.retryAfterSeconds),
    },
  };
}

/** Such as "in 9 minutes", rounded up; from two hours on in hours. */
function waitIn(lang: string, seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const format = new Intl.RelativeTimeFormat(lang);
  return minutes < 120 ? format.format(minutes, 'minute') : format.format(Math.ceil(minutes / 60), 'hour');
}
