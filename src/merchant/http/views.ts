// Pages: eta templates of views/merchant, escaped unless a template says otherwise, in the reader's language.

import { join } from 'node:path';
import { Eta } from 'eta';
import type { Request, Response } from 'express';
import { en } from '../texts/en';
import { ko, type Texts } from '../texts/ko';

/** Served as /static/. */
export const STATIC_FOLDER = join(__dirname, '..', '..', '..', 'views', 'merchant', 'static');
const VIEWS_FOLDER = join(STATIC_FOLDER, '..');

const TEXTS = { ko, en };

export type Page = {
  status: number;
  /** File name under views/merchant, without its ending. */
  template: string;
  title: (texts: Texts) => string;
  /** The title then begins with "오류:" or "Error:". */
  isError?: boolean;
  /** Where the language switch leads, when it is not the path of the request. */
  path?: string;
  data?: object;
};

export type Views = { send(request: Request, response: Response, page: Page): void };

export function createViews(config: { sandboxMode: boolean }): Views {
  const eta = new Eta({ views: VIEWS_FOLDER, cache: true, autoEscape: true });
  return {
    send(request, response, { status, template, title, isError = false, path = request.path, data }) {
      const texts = textsFor(request);
      const html = eta.render(template, {
        ...data,
        t: texts,
        title: (isError ? texts.layout.errorPrefix : '') + title(texts),
        link: (to: string) => linkIn(request, to),
        languages: Object.values(TEXTS).map(({ lang, languageName }) => ({ lang, languageName, path })),
        sandboxMode: config.sandboxMode,
      });
      response.status(status).set('Content-Language', texts.lang).type('html').send(html);
    },
  };
}

/** What `?lang=` chose, else what the browser prefers, else Korean. */
export function textsFor(request: Request): Texts {
  return TEXTS[chosenLanguage(request) ?? (request.acceptsLanguages('ko', 'en') === 'en' ? 'en' : 'ko')];
}

/** A path of ours that keeps the language that was chosen by `?lang=`. */
export function linkIn(request: Request, path: string): string {
  const chosen = chosenLanguage(request);
  return chosen === null ? path : `${path}?lang=${chosen}`;
}

function chosenLanguage(request: Request): 'ko' | 'en' | null {
  const { lang } = request.query;
  return lang === 'ko' || lang === 'en' ? lang : null;
}
