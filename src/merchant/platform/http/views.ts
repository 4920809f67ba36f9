// Pages: eta templates of views/merchant, in the reader's language. Output is escaped unless a template marks it as raw.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import type { Request, Response } from 'express';
import type { Config } from '../config';
import type { Context, FeatureRows } from '../context';
import { cardMark, formatMoney, formatsOf, issuerIn, type Money } from './formats';
import { contextOf } from './shop-files';
import { en } from './texts.en';
import { ko } from './texts.ko';

export const VIEWS = join(__dirname, '..', '..', '..', '..', 'views');
const MERCHANT = join(VIEWS, 'merchant');
export const SHARED_STATIC = join(VIEWS, 'shared', 'static');
/** Served as /static/: shared files first, then those of each feature. */
export const STATIC_FOLDERS = [
  SHARED_STATIC,
  join(MERCHANT, 'static'),
  ...readdirSync(MERCHANT)
    .map((feature) => join(MERCHANT, feature, 'static'))
    .filter((folder) => existsSync(folder)),
];
const ICON = join(SHARED_STATIC, 'icon.svg');

/** Texts common to all pages. */
const COMMON = { ko, en };

type Lang = keyof typeof COMMON;

/** Null: the feature has none with these settings. */
export type PageHeader = (context: PageContext, request: Request, lang: Lang) => Header | null;

/**
 * What every page shows above its header, from a template of the feature; null: nothing now. It depends on no more of
 * the request than its language, because some pages are cached.
 */
export type PageNotice = (context: PageContext, lang: Lang) => { template: string; data: object } | null;

type PageContext = Pick<Context, 'config' | 'clock'>;

type Header = {
  /** Shown unless the shop has a name of its own. */
  name: string;
  /** A file of /static. */
  logo: string;
  home: string;
  /** Pages of this server. */
  places: readonly { path: string; name: string }[];
  /** Addresses with their language. */
  others: readonly { href: string; name: string }[];
};

/** The same texts in each language. */
export type Texts<Sentences extends object> = { ko: Sentences; en: Sentences };

/** The texts of a page, and those common to all pages. */
export type PageTexts<Sentences extends object> = typeof ko & Sentences;

export type Page<Sentences extends object> = {
  status: number;
  /** File name under views/merchant without its extension, such as `cards/terms`. */
  template: string;
  /** Its own texts. The template gets them as `t`, together with the common ones. */
  texts: Texts<Sentences>;
  title: (t: PageTexts<Sentences>) => string;
  /** Prefixes the title with "오류:" or "Error:". */
  isError?: boolean;
  /**
   * The target of the language switch, and of a reload if the page answers a post; without `lang`. Default: the path of
   * the request, without its query.
   */
  path?: string;
  data?: object;
};

/** Pages on which a member types the number of a card. Other pages link there. */
export type CardEntry = { register: string; replace(customerUid: string): string };

export type Views = {
  /** Null if this server takes no card numbers. */
  cardEntry: CardEntry | null;
  /** Whether the program has the feature of this name. */
  isThere(name: string): boolean;
  send<Sentences extends object>(request: Request, response: Response, page: Page<Sentences>): void;
};

export function createViews(
  context: PageContext,
  features: readonly {
    name: string;
    header?: PageHeader;
    notice?: PageNotice;
    cardEntry?: CardEntry;
    phrases?: FeatureRows['phrases'];
  }[] = [],
): Views {
  const cardEntry = features.find((feature) => feature.cardEntry)?.cardEntry ?? null;
  const { sandboxMode, shop, pathPrefix }: Config = context.config;
  const phrases = features.flatMap((feature) => feature.phrases?.(context.config) ?? []);
  const knownIn = (lang: Lang) =>
    new Map(phrases.flatMap((each) => Object.values(each).map((text) => [text, each[lang]])));
  const known = { ko: knownIn('ko'), en: knownIn('en') };
  // With a logo, the icon is inlined, so that the page needs no additional request.
  const icon =
    shop.logo === null ? null : `data:image/svg+xml,${encodeURIComponent(readFileSync(ICON, 'utf8'))}`;
  // In development an error names the template and the line (`pageErrors`).
  const eta = new Eta({ views: VIEWS, cache: true, autoEscape: true, debug: !context.config.production });

  function send<Sentences extends object>(
    request: Request,
    response: Response,
    { status, template, texts, title, isError = false, path = request.path, data }: Page<Sentences>,
  ): void {
    const lang = languageOf(request);
    const t = { ...COMMON[lang], ...texts[lang] };
    const header = headerIn(request, path);
    const html = eta.render(`./merchant/${template}`, {
      ...data,
      t,
      title: (isError ? t.layout.errorPrefix : '') + titleIn(title(t), shop.name ?? header?.name),
      link: (to: string) => linkUnder(pathPrefix, request, to),
      pathPrefix,
      // A form that asks by GET replaces the query of the page, so it sends the chosen language again.
      chosen: chosenLanguage(request),
      formatMoney: (money: Money) => formatMoney(money, lang),
      formatTime: (time: Date) => formatsOf(lang).usual.format(time),
      issuer: (name: string | null) => issuerIn(name, lang),
      cardMark,
      phrase: (text: unknown) => known[lang].get(String(text)) ?? text,
      languages: Object.values(COMMON).map((each) => ({
        lang: each.lang,
        languageName: each.languageName,
        href: `${pathPrefix}${inLanguage(path, each.lang)}`,
      })),
      refresh: request.res?.get('Refresh') ?? null,
      // Null if a reload posts nothing again.
      reloadsAs: request.method === 'POST' ? linkUnder(pathPrefix, request, path) : null,
      // Where a form of the frame leads back to.
      backTo: linkUnder(pathPrefix, request, path),
      sandboxMode,
      cardEntry,
      pageNotice: noticeIn(lang),
      header,
      shop,
      icon,
    });
    response.status(status).vary('Accept-Language').set('Content-Language', lang).type('html').send(html);
  }

  /** Of several places that contain the page, the innermost one is marked. */
  function headerIn(request: Request, path: string) {
    const lang = languageOf(request);
    const header = features.map((each) => each.header?.(context, request, lang)).find((each) => each != null);
    if (header === undefined) return null;
    const around = header.places.filter((place) => `${path.split('?')[0]}/`.startsWith(`${place.path}/`));
    const here = around.sort((one, other) => other.path.length - one.path.length)[0];
    const name = shop.name ?? header.name;
    return { ...header, name, places: header.places.map((place) => ({ ...place, isHere: place === here })) };
  }

  function noticeIn(lang: Lang) {
    return features.map(({ notice }) => notice?.(context, lang)).find((each) => each != null) ?? null;
  }

  const isThere = (name: string) => features.some((feature) => feature.name === name);
  return { send, cardEntry, isThere };
}

/** With the shop's name, if it has one. */
const titleIn = (title: string, shop: string | undefined) =>
  shop === undefined || shop === title ? title : `${title} - ${shop}`;

/** The language of `?lang=`, else the one that the browser prefers, else Korean. */
export function languageOf(request: Request): Lang {
  return chosenLanguage(request) ?? ((request.acceptsLanguages(Object.keys(COMMON)) || 'ko') as Lang);
}

/** One of our paths as a browser gets it: with PATH_PREFIX and the `?lang=` of this request. */
export function linkIn(request: Request, path: string): string {
  return linkUnder(contextOf(request).config.pathPrefix, request, path);
}

function linkUnder(pathPrefix: string, request: Request, path: string): string {
  const chosen = chosenLanguage(request);
  return `${pathPrefix}${chosen === null ? path : inLanguage(path, chosen)}`;
}

/** Keeps an existing query. */
function inLanguage(path: string, lang: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}lang=${lang}`;
}

function chosenLanguage(request: Request): Lang | null {
  const { lang } = request.query;
  return typeof lang === 'string' && Object.hasOwn(COMMON, lang) ? (lang as Lang) : null;
}
