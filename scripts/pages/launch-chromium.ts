// A headless Chromium, for the pages.

import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/**
 * Parts of the browser's own window, and a process in reserve, which each new page would start: more than half of what a page
 * costs. The others are those that Playwright switches off: Chromium goes by the last list that it is given.
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

/** Null where there is none on this machine. */
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
