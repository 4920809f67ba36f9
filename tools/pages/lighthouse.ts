// `npm run tool -- lighthouse` runs Lighthouse and axe on every page, in both languages, light and dark, narrow and wide; with
// parts of paths as arguments, only on those pages. npm fetches Lighthouse into a temporary folder, because it is larger than
// all other dependencies together.

import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { freePort } from '../../src/local/postgres/free-port';
import { LANGUAGES, unfold, violations } from '../../test/support/chromium';
import { eventually } from '../../test/support/eventually';
import { findChromium, launchChromium } from '../../test/support/launch-chromium';
import { openFilledShop, type FilledShop } from './filled-shop';

/** The last version for Node.js 20. */
const LIGHTHOUSE = 'lighthouse@12.8.2';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
/** Chromium's numbers. */
const SCHEMES = { dark: 0, light: 1 } as const;
const WIDTHS = [360, 1280];
/** A busy machine slows a page down, so the best of several attempts counts. */
const ATTEMPTS = 3;

type Category = (typeof CATEGORIES)[number];
type Scores = Record<Category, number>;
type PageRequest = { path: string; url: string; cookie?: string };
type Lighthouse = {
  default: (url: string, flags: object, config?: object) => Promise<{ lhr: Report }>;
  desktopConfig: object;
};
type Report = {
  finalDisplayedUrl: string;
  categories: Record<Category, { score: number | null }>;
  audits: Record<string, Audit>;
};
type Audit = { title: string; score: number | null; scoreDisplayMode: string };

async function main(parts: readonly string[]): Promise<void> {
  const executable = findChromium();
  if (executable === null) throw new Error('There is no Chromium here: install one, or set CHROMIUM_PATH.');
  const folder = mkdtempSync(join(tmpdir(), 'lighthouse-'));
  const shop = await openFilledShop();
  try {
    const lighthouse = await install(folder);
    const visits = visitsOf(shop).filter(
      ({ path }) => parts.length === 0 || parts.some((part) => path.includes(part)),
    );
    const lowest = new Map<string, Scores>();
    const findings = await countFindings(visits);
    for (const scheme of ['light', 'dark'] as const) {
      const browser = await startBrowser(executable, folder, scheme);
      try {
        for (const visit of visits)
          for (const lang of LANGUAGES)
            for (const width of WIDTHS) {
              await browser.keepOnly(visit);
              const scores = await measure(lighthouse, browser.port, visit, { lang, width, scheme });
              lowest.set(visit.path, least(lowest.get(visit.path), scores));
            }
      } finally {
        await browser.stop();
      }
    }
    process.stdout.write(toTable(lowest, findings));
  } finally {
    await shop.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Counts axe's findings for each page over all variants, with all details expanded. */
async function countFindings(visits: readonly PageRequest[]): Promise<Map<string, number>> {
  const browser = await launchChromium();
  try {
    const counts = new Map<string, number>();
    for (const visit of visits) {
      const context = await browser.newContext();
      await context.addCookies(cookiesOf(visit));
      const page = await context.newPage();
      for (const lang of LANGUAGES) {
        await page.goto(inLanguage(visit, lang));
        await unfold(page);
        const found = await violations(page);
        for (const each of found) process.stderr.write(`${visit.path}, ${lang}: ${each}\n`);
        counts.set(visit.path, (counts.get(visit.path) ?? 0) + found.length);
      }
      await context.close();
    }
    return counts;
  } finally {
    await browser.close();
  }
}

const inLanguage = ({ url }: PageRequest, lang: string) =>
  `${url}${url.includes('?') ? '&' : '?'}lang=${lang}`;

function cookiesOf({ url, cookie }: PageRequest) {
  const pairs = cookie?.split('; ').map((pair) => pair.split(/=(.*)/s)) ?? [];
  return pairs.map(([name = '', value = '']) => ({ name, value, url }));
}

/** All pages, without language. */
function visitsOf({ world, cookies, svcUid, storyRun }: FilledShop): PageRequest[] {
  const merchant = (path: string, cookie?: string, shown = path): PageRequest => ({
    path: shown,
    url: `${world.url}${path}`,
    ...(cookie && { cookie }),
  });
  const sandbox = (path: string, shown = path): PageRequest => ({
    path: `sandbox: ${shown}`,
    url: `${world.sandbox.url}${path}`,
  });
  const operator = (path: string, shown = path) =>
    merchant(`/operator${path}`, cookies.operator, `/operator${shown}`);
  return [
    merchant('/'),
    merchant('/cards/new'),
    merchant('/cards', cookies.member),
    merchant('/nothing'),
    merchant('/terms'),
    merchant('/docs'),
    merchant('/demo', cookies.member),
    merchant('/demo/products/tea', cookies.member),
    merchant('/demo/plan', cookies.member),
    merchant('/operator/sign-in'),
    operator(''),
    operator('/desk'),
    operator('/payments'),
    operator(`/payments/${svcUid}`, '/payments/{svc_uid}'),
    sandbox('/'),
    sandbox('/console'),
    sandbox('/console/stories'),
    sandbox(`/console/stories/forged-amount?run=${storyRun}`, '/console/stories/{name}'),
    sandbox('/console/payments'),
    sandbox('/window?merchant_uid=order-61&amount=12000&return_url=http://localhost/', '/window'),
  ];
}

async function install(folder: string): Promise<Lighthouse> {
  execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder, LIGHTHOUSE], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const entry = createRequire(join(folder, 'from.js')).resolve('lighthouse');
  return (await import(pathToFileURL(entry).href)) as Lighthouse;
}

async function startBrowser(executable: string, folder: string, scheme: keyof typeof SCHEMES) {
  const port = Number(await freePort(0));
  const browser: ChildProcess = spawn(
    executable,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--blink-settings=preferredColorScheme=${SCHEMES[scheme]}`,
      `--remote-debugging-port=${port}`,
      `--user-data-dir=${join(folder, scheme)}`,
      'about:blank',
    ],
    { stdio: 'ignore' },
  );
  await eventually(() =>
    fetch(`http://127.0.0.1:${port}/json/version`).then(
      () => true,
      () => false,
    ),
  );
  return {
    port,
    /** Removes the cookies of other pages, which would be sent instead of this page's own. */
    async keepOnly(visit: PageRequest) {
      const connection = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
      const [jar] = connection.contexts();
      if (!jar) throw new Error('Chromium has no window');
      await jar.clearCookies();
      await jar.addCookies(cookiesOf(visit));
      await connection.close();
    },
    async stop() {
      const ended = once(browser, 'exit');
      browser.kill();
      await ended;
    },
  };
}

async function measure(
  { default: run, desktopConfig }: Lighthouse,
  port: number,
  visit: PageRequest,
  { lang, width, scheme }: { lang: string; width: number; scheme: string },
): Promise<Scores> {
  const { path } = visit;
  const address = inLanguage(visit, lang);
  const flags = {
    port,
    output: 'json',
    logLevel: 'error',
    onlyCategories: CATEGORIES,
    // Error pages are measured as well.
    ignoreStatusCode: true,
    ...(width < 600 && {
      screenEmulation: { mobile: true, width, height: 800, deviceScaleFactor: 2, disabled: false },
    }),
  };
  let best: Scores | undefined;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const { lhr } = await run(address, flags, width < 600 ? undefined : desktopConfig);
    if (lhr.finalDisplayedUrl !== address) throw new Error(`${path} led to ${lhr.finalDisplayedUrl}`);
    const scores = Object.fromEntries(
      CATEGORIES.map((name) => [name, Math.round((lhr.categories[name].score ?? 0) * 100)]),
    ) as Scores;
    best = most(best, scores);
    if (best.performance < 100 && attempt < ATTEMPTS) continue;
    report(`${path}, ${lang}, ${scheme}, ${width} px`, best, lhr.audits);
    return best;
  }
  throw new Error(`${path} was not measured`);
}

/** Prints every score below 100 with its reasons. */
function report(where: string, scores: Scores, audits: Record<string, Audit>): void {
  if (CATEGORIES.every((name) => scores[name] === 100)) return;
  const failed = Object.values(audits)
    .filter(({ score, scoreDisplayMode }) => scoreDisplayMode === 'binary' && score === 0)
    .map(({ title }) => title);
  process.stderr.write(
    `${where}: ${CATEGORIES.map((name) => scores[name]).join('/')}  ${failed.join('; ')}\n`,
  );
}

const combined =
  (choose: (...scores: number[]) => number) =>
  (one: Scores | undefined, other: Scores): Scores =>
    one
      ? (Object.fromEntries(CATEGORIES.map((name) => [name, choose(one[name], other[name])])) as Scores)
      : other;
const least = combined(Math.min);
const most = combined(Math.max);

function toTable(lowest: ReadonlyMap<string, Scores>, findings: ReadonlyMap<string, number>): string {
  const lines = [...lowest].map(
    ([path, scores]) =>
      `| \`${path}\` | ${CATEGORIES.map((name) => scores[name]).join(' | ')} | ${findings.get(path)} |`,
  );
  return [
    '| Page | Performance | Accessibility | Best practices | SEO | axe |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
    '',
  ].join('\n');
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
