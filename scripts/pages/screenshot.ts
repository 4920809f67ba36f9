// `npm run screenshot` fills in the card form in a real browser, against merchant and sandbox on a throw-away database, and
// writes the pictures to docs/screenshots.

import { join } from 'node:path';
import { findChromium, launchChromium } from '../../test/support/chromium';
import { startTestCluster } from '../../test/support/postgres';
import { startWorld } from '../../test/support/world';

const FOLDER = join(__dirname, '..', '..', 'docs', 'screenshots');

async function main(): Promise<void> {
  const executable = findChromium();
  if (executable === null) throw new Error('There is no Chromium here: install one, or set CHROMIUM_PATH.');
  const cluster = await startTestCluster();
  process.env['TEST_TEMPLATE_URL'] = cluster.templateUrl;
  const world = await startWorld();
  const browser = await launchChromium(executable);
  try {
    const page = await browser.newPage({
      viewport: { width: 900, height: 1180 },
      locale: 'ko-KR',
      deviceScaleFactor: 1,
    });
    const shoot = (name: string) => page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: true });
    const register = async (chip: string) => {
      await page.goto(`${world.url}/cards/new`);
      await page.click(`[data-card="${chip}"]`);
      await page.check('#agree_terms');
      await page.check('#agree_privacy');
    };
    await register('4242-4242-4242-4242');
    await shoot('card-form');
    await page.click('button[type=submit]');
    await page.waitForURL(`${world.url}/cards`);
    world.clock.advance(3600);
    await register('4000-0000-0000-0341');
    await page.click('button[type=submit]');
    await page.waitForURL(`${world.url}/cards`);
    await shoot('cards');
    console.log(`card-form.png and cards.png are in ${FOLDER}`);
  } finally {
    await browser.close();
    await world.close();
    await cluster.stop();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
