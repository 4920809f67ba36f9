// `npm run tool -- screenshots` opens the pages in a real browser, on a throw-away database, and writes docs/screenshots.

import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { findChromium, launchChromium } from '../../test/support/launch-chromium';
import { startTestCluster } from '../../test/support/postgres';
import { startWorld, type World } from '../../test/support/world';
import { openFilledShop, type FilledShop } from './filled-shop';

const FOLDER = join(__dirname, '..', '..', 'docs', 'screenshots');

async function main(): Promise<void> {
  const executable = findChromium();
  if (executable === null) throw new Error('There is no Chromium here: install one, or set CHROMIUM_PATH.');
  const browser = await launchChromium(executable);
  const shop = await openFilledShop();
  try {
    await shootFilledShop(browser, shop);
  } finally {
    await shop.close();
  }
  const cluster = await startTestCluster();
  process.env['TEST_TEMPLATE_URL'] = cluster.templateUrl;
  const world = await startWorld();
  const teaHouse = await startWorld({ environment: { SHOP_NAME: 'Tea House', SHOP_COLOR: '#0b6b4f' } });
  try {
    await shootFirstCards(browser, world);
    await shootLook(browser, teaHouse);
    console.log(`The pictures are in ${FOLDER}`);
  } finally {
    await browser.close();
    await teaHouse.close();
    await world.close();
    await cluster.stop();
  }
}

/** The pages of a member who registers two cards, in Korean. */
async function shootFirstCards(browser: Browser, world: World): Promise<void> {
  const page = await openPage(browser, { width: 900, height: 1180 }, 'ko-KR');
  const register = async (chip: string) => {
    await page.goto(`${world.url}/cards/new`);
    await page.click(`[data-card="${chip}"]`);
    await page.check('#agree_terms');
    await page.check('#agree_privacy');
  };
  await register('4242-4242-4242-4242');
  await shoot(page, 'card-form');
  await page.click('button[type=submit]');
  await page.waitForURL(`${world.url}/cards`);
  world.clock.advance(3600);
  await register('4000-0000-0000-0341');
  await page.click('button[type=submit]');
  await page.waitForURL(`${world.url}/cards`);
  await shoot(page, 'cards');
}

/** The form with the name and the colour of docs/03-guides/1-own-sign-in.md. */
async function shootLook(browser: Browser, world: World): Promise<void> {
  const page = await openPage(browser, { width: 480, height: 900 }, 'en-GB');
  await page.goto(`${world.url}/cards/new`);
  await page.click('[data-card="4242-4242-4242-4242"]');
  await shoot(page, 'card-form-look');
}

/** The pages of operators and developers, in English. */
async function shootFilledShop(
  browser: Browser,
  { world, cookies, svcUid, storyRun }: FilledShop,
): Promise<void> {
  const page = await openPage(browser, { width: 1280, height: 1000 }, 'en-GB');
  const pictures = [
    ['operator-overview', `${world.url}/operator`, 1000],
    ['operator-action-queue', `${world.url}/operator/desk`, 900],
    ['operator-payment', `${world.url}/operator/payments/${svcUid}`, 1000],
    ['console', `${world.sandbox.url}/console`, 960],
    ['story', `${world.sandbox.url}/console/stories/forged-amount?run=${storyRun}`, 960],
    ['demo', `${world.url}/demo`, 640],
  ] as const;
  await page.setExtraHTTPHeaders({ Cookie: cookies.operator });
  for (const [name, url, height] of pictures) {
    if (name === 'demo') await page.setExtraHTTPHeaders({ Cookie: cookies.member });
    await page.setViewportSize({ width: 1280, height });
    await page.goto(url);
    // Only the top of a page that is longer than the screen.
    await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  }
}

async function openPage(browser: Browser, viewport: { width: number; height: number }, locale: string) {
  return browser.newPage({ viewport, locale, deviceScaleFactor: 1 });
}

/** The whole page. */
const shoot = (page: Page, name: string) =>
  page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: true });

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
