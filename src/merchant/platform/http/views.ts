// Pages: eta templates of views/merchant, in the reader's language, escaped unless a template says otherwise.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import type { Request, Response } from 'express';
import type { Config } from '../config';
import { en } from '../locales/en';
import { ko, type Locale } from '../locales/ko';
import { formatMoney, formatTime } from './formats';

const VIEWS = join(__dirname, '..', '..', '..', '..', 'views');
const MERCHANT = join(VIEWS, 'merchant');
/** Served as /static/: the files that pages share, then those of each feature. */
export const STATIC_FOLDERS = [
  join(VIEWS, 'shared', 'static'),
  join(MERCHANT, 'static'),
  ...readdirSync(MERCHANT)
    .map((feature) => join(MERCHANT, feature, 'static'))
    .filter((folder) => existsSync(folder)),
];
const ICON = join(VIEWS, 'shared', 'static', 'icon.svg');

const LOCALES = { ko, en };

export type Page = {
  status: number;
  /** File name under views/merchant, without its ending, such as `cards/card-form`. */
  template: string;
  title: (locale: Locale) => string;
  /** The title then begins with "오류:" or "Error:". */
  isError?: boolean;
  /**
   * Where the language switch leads, and where a reload does if the page answers a post; without `lang`. Absent: to the path
   * of the request, without its query.
   */
  path?: string;
  data?: object;
};

/** What of a page is sent. */
export type RenderedPage = { status: number; lang: string; html: Buffer };

export type Views = {
  send(request: Request, response: Response, page: Page): void;
  /** For a page that is the same for everybody who reads one language: its caller keeps it, and sends it again. */
  render(request: Request, page: Page): RenderedPage;
};

export function createViews({ sandboxMode, shop }: Pick<Config, 'sandboxMode' | 'shop'>): Views {
  // Beside a logo the icon comes within the page, so that a page is no more requests than without.
  const icon =
    shop.logo === null ? null : `data:image/svg+xml,${encodeURIComponent(readFileSync(ICON, 'utf8'))}`;
  const eta = new Eta({ views: VIEWS, cache: true, autoEscape: true });

  function render(
    request: Request,
    { status, template, title, isError = false, path = request.path, data }: Page,
  ): RenderedPage {
    const locale = localeFor(request);
    const html = eta.render(`./merchant/${template}`, {
      ...data,
      t: locale,
      title:
        (isError ? locale.layout.errorPrefix : '') + title(locale) + (shop.name ? ` - ${shop.name}` : ''),
      link: (to: string) => linkIn(request, to),
      formatMoney: (money: Parameters<typeof formatMoney>[0]) => formatMoney(money, locale.lang),
      formatTime: (time: Date) => formatTime(time, locale.lang),
      languages: Object.values(LOCALES).map(({ lang, languageName }) => ({
        lang,
        languageName,
        href: inLanguage(path, lang),
      })),
      // Absent where a reload does not post anything again.
      reloadsAs: request.method === 'POST' ? linkIn(request, path) : null,
      sandboxMode,
      shop,
      icon,
    });
    return { status, lang: locale.lang, html: Buffer.from(html) };
  }

  return { render, send: (request, response, page) => sendRendered(response, render(request, page)) };
}

export function sendRendered(response: Response, { status, lang, html }: RenderedPage): void {
  response.status(status).vary('Accept-Language').set('Content-Language', lang).type('html').send(html);
}

/** What of a request decides the language of a page and of its links: few values, whatever it says. */
export function languageKey(request: Request): string {
  return `${localeFor(request).lang} ${chosenLanguage(request) ?? 'as preferred'}`;
}

/** The language that `?lang=` names, else the one that the browser prefers, else Korean. */
function localeFor(request: Request): Locale {
  return LOCALES[chosenLanguage(request) ?? (request.acceptsLanguages('ko', 'en') === 'en' ? 'en' : 'ko')];
}

/** One of our paths, with the language that `?lang=` names for this request. */
export function linkIn(request: Request, path: string): string {
  const chosen = chosenLanguage(request);
  return chosen === null ? path : inLanguage(path, chosen);
}

/** A path that has a query keeps it. */
function inLanguage(path: string, lang: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}lang=${lang}`;
}

function chosenLanguage(request: Request): 'ko' | 'en' | null {
  const { lang } = request.query;
  return lang === 'ko' || lang === 'en' ? lang : null;
}
