// The sandbox's pages for people: eta templates of views/sandbox, in the reader's language.

import { join } from 'node:path';
import { Eta } from 'eta';
import type { Request, Response } from 'express';
import { en } from '../locales/en';
import { ko, type Locale } from '../locales/ko';
import type { MovedClock } from './moved-clock';

const VIEWS = join(__dirname, '../../../views');
const eta = new Eta({ views: VIEWS, cache: true, debug: true });
const LOCALES = [ko, en];

/** Served as /static/. */
export const STATIC_FOLDERS = ['shared', 'sandbox'].map((folder) => join(VIEWS, folder, 'static'));

/** What the app gives to every page. */
export type PageLocals = {
  movedClockIn: (t: Locale) => MovedClock | null;
  /** That notifications go elsewhere than to the shop with which the sandbox was started; null if they do not. */
  movedAddressIn: (t: Locale) => string | null;
};

/** `path` replaces the request's own path, for a page that answers a form. */
type InOtherLanguage = { isKept?: (name: string) => boolean; path?: string };

/** Query parameters that select the view of a page. */
const OF_THE_VIEW: readonly string[] = ['q', 'show', 'page', 'run', 'result'];

/**
 * Sends views/sandbox/{template}.eta with `data`. The links to the other language keep only the query parameters that
 * `isKept` accepts, because an address may contain anything, even card data.
 */
export function sendPage(
  request: Request,
  response: Response,
  template: string,
  data: object,
  { isKept = (name) => OF_THE_VIEW.includes(name), path }: InOtherLanguage = {},
): void {
  const t = localeFor(request);
  const languages = LOCALES.map(({ lang, languageName }) => ({
    lang,
    languageName,
    href: hrefIn(request, lang, isKept, path),
  }));
  response.vary('accept-language').set('content-language', t.lang).type('html');
  const { movedClockIn, movedAddressIn } = request.app.locals as PageLocals;
  const moved = { movedClock: movedClockIn(t), movedAddress: movedAddressIn(t) };
  response.send(eta.render(`./sandbox/${template}`, { ...data, t, languages, ...moved }));
}

/** The language that `?lang=` names, else the one that the browser prefers, else Korean. */
export function localeFor(request: Request): Locale {
  const preferred = request.acceptsLanguages('ko', 'en') === 'en' ? en : ko;
  return LOCALES.find(({ lang }) => lang === request.query['lang']) ?? preferred;
}

/** The query as it was sent. It may contain another `?`, from an address that was not encoded. */
export const queryText = (request: Request) => new URL(request.originalUrl, 'http://sandbox').search;

function hrefIn(request: Request, lang: string, isKept: (name: string) => boolean, path?: string): string {
  const given = [...new URLSearchParams(queryText(request))];
  const query = new URLSearchParams(given.filter(([name]) => isKept(name)));
  query.set('lang', lang);
  const { pathname } = new URL(request.originalUrl, 'http://sandbox');
  return `${path ?? pathname}?${query.toString()}`;
}
