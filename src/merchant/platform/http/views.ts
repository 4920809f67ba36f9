// Pages: eta templates of views/merchant, in the reader's language, escaped unless a template says otherwise.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import type { Request, Response } from 'express';
import type { Config } from '../config';
import { en } from './texts.en';
import { ko } from './texts.ko';

export const VIEWS = join(__dirname, '..', '..', '..', '..', 'views');
const MERCHANT = join(VIEWS, 'merchant');
export const SHARED_STATIC = join(VIEWS, 'shared', 'static');
/** Served as /static/: the files that pages share, then those of each feature. */
export const STATIC_FOLDERS = [
  SHARED_STATIC,
  join(MERCHANT, 'static'),
  ...readdirSync(MERCHANT)
    .map((feature) => join(MERCHANT, feature, 'static'))
    .filter((folder) => existsSync(folder)),
];
const ICON = join(SHARED_STATIC, 'icon.svg');

/** What every page says. */
const COMMON = { ko, en };

/** The same sentences in each language. */
export type Texts<Sentences extends object> = { ko: Sentences; en: Sentences };

/** The sentences of a page, and those of every page. */
export type PageTexts<Sentences extends object> = typeof ko & Sentences;

export type Page<Sentences extends object> = {
  status: number;
  /** File name under views/merchant, without its ending, such as `cards/card-form`. */
  template: string;
  /** Its own. The template has them as `t`, beside those of every page. */
  texts: Texts<Sentences>;
  title: (t: PageTexts<Sentences>) => string;
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
  send<Sentences extends object>(request: Request, response: Response, page: Page<Sentences>): void;
  /** For a page that is the same for everybody who reads one language: its caller keeps it, and sends it again. */
  render<Sentences extends object>(request: Request, page: Page<Sentences>): RenderedPage;
};

export function createViews({ sandboxMode, shop }: Pick<Config, 'sandboxMode' | 'shop'>): Views {
  // Beside a logo the icon comes within the page, so that a page is no more requests than without.
  const icon =
    shop.logo === null ? null : `data:image/svg+xml,${encodeURIComponent(readFileSync(ICON, 'utf8'))}`;
  const eta = new Eta({ views: VIEWS, cache: true, autoEscape: true });

  function render<Sentences extends object>(
    request: Request,
    { status, template, texts, title, isError = false, path = request.path, data }: Page<Sentences>,
  ): RenderedPage {
    const lang = languageOf(request);
    const t = { ...COMMON[lang], ...texts[lang] };
    const html = eta.render(`./merchant/${template}`, {
      ...data,
      t,
      title: (isError ? t.layout.errorPrefix : '') + title(t) + (shop.name ? ` - ${shop.name}` : ''),
      link: (to: string) => linkIn(request, to),
      formatMoney: (money: Money) => formatMoney(money, lang),
      formatTime: (time: Date) => formatTime(time, lang),
      languages: Object.values(COMMON).map((each) => ({
        lang: each.lang,
        languageName: each.languageName,
        href: inLanguage(path, each.lang),
      })),
      // Absent where a reload does not post anything again.
      reloadsAs: request.method === 'POST' ? linkIn(request, path) : null,
      sandboxMode,
      shop,
      icon,
    });
    return { status, lang, html: Buffer.from(html) };
  }

  return { render, send: (request, response, page) => sendRendered(response, render(request, page)) };
}

export function sendRendered(response: Response, { status, lang, html }: RenderedPage): void {
  response.status(status).vary('Accept-Language').set('Content-Language', lang).type('html').send(html);
}

/** What of a request decides the language of a page and of its links: few values, whatever it says. */
export function languageKey(request: Request): string {
  return `${languageOf(request)} ${chosenLanguage(request) ?? 'as preferred'}`;
}

/** The language that `?lang=` names, else the one that the browser prefers, else Korean. */
function languageOf(request: Request): keyof typeof COMMON {
  return chosenLanguage(request) ?? (request.acceptsLanguages('ko', 'en') === 'en' ? 'en' : 'ko');
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

function chosenLanguage(request: Request): keyof typeof COMMON | null {
  const { lang } = request.query;
  return lang === 'ko' || lang === 'en' ? lang : null;
}

type Money = { amount: bigint | number; currency?: string | null };

/**
 * Won as people write them in that language, another currency in the unit of the service (§2.4). Null, where the service leaves
 * the currency out: the number alone.
 */
export function formatMoney({ amount, currency = 'KRW' }: Money, lang: string): string {
  const number = numbersOf(lang).format(amount);
  if (currency !== 'KRW') return currency === null ? number : `${number} ${currency}`;
  return lang === 'ko' ? `${number}원` : `₩${number}`;
}

/** Making one takes longer than using it many times. */
const numberFormats = new Map<string, Intl.NumberFormat>();

function numbersOf(lang: string): Intl.NumberFormat {
  const format = numberFormats.get(lang) ?? new Intl.NumberFormat(lang);
  numberFormats.set(lang, format);
  return format;
}

/** By the clocks of Korea, in 24 hours: nobody mistakes noon for midnight. */
function formatTime(time: Date, lang: string): string {
  const format = { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23', timeZone: 'Asia/Seoul' } as const;
  return new Intl.DateTimeFormat(lang, format).format(time);
}
