// The sandbox's pages for people: eta templates of views/sandbox, in the reader's language.

import { join } from 'node:path';
import { Eta } from 'eta';
import type { Request, Response } from 'express';
import { en } from '../locales/en';
import { ko, type Locale } from '../locales/ko';

const VIEWS = join(__dirname, '../../../views');
const eta = new Eta({ views: VIEWS, cache: true });
const LOCALES = [ko, en];

/** Served as /static/. */
export const STATIC_FOLDERS = ['shared', 'sandbox'].map((folder) => join(VIEWS, folder, 'static'));

/** Sends views/sandbox/{template}.eta with `data`. */
export function sendPage(request: Request, response: Response, template: string, data: object): void {
  const t = localeFor(request);
  const languages = LOCALES.map(({ lang, languageName }) => ({
    lang,
    languageName,
    href: hrefIn(request, lang),
  }));
  response.vary('accept-language').set('content-language', t.lang).type('html');
  response.send(eta.render(`./sandbox/${template}`, { ...data, t, languages }));
}

/** The language that `?lang=` names, else the one that the browser prefers, else Korean. */
export function localeFor(request: Request): Locale {
  const preferred = request.acceptsLanguages('ko', 'en') === 'en' ? en : ko;
  return LOCALES.find(({ lang }) => lang === request.query['lang']) ?? preferred;
}

/** The query as it was sent. A `?` inside of it belongs to an address that was not encoded. */
export const queryText = (request: Request) => new URL(request.originalUrl, 'http://sandbox').search;

function hrefIn(request: Request, lang: string): string {
  const query = new URLSearchParams(queryText(request));
  query.set('lang', lang);
  const { pathname } = new URL(request.originalUrl, 'http://sandbox');
  return `${pathname}?${query.toString()}`;
}
