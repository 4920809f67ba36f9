// Starts a headless Chromium.

import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** The first is Chromium without the window of a browser, which takes less CPU. */
const PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/**
 * Parts of the browser's own window and a spare process, which cost more than half of a new page. The list repeats the features
 * that Playwright disables, because Chromium uses only the last list.
 */
const NOT_NEEDED = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/** Null if Chromium is not installed. */
export function findChromium(): string | null {
  const paths = process.env['CHROMIUM_PATH'] ? [process.env['CHROMIUM_PATH']] : PATHS;
  return paths.find((path) => existsSync(path)) ?? null;
}

export function launchChromium(executablePath = findChromium()): Promise<Browser> {
  if (executablePath === null) throw new Error('There is no Chromium on this machine.');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${NOT_NEEDED.join(',')}`,
    ],
  });
}
