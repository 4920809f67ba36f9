// Follows every link of the pages of a merchant under PATH_PREFIX.

import type { MemberBrowser } from './browsers';

/** Our addresses in these attributes of a page. */
const addressesIn = (html: string, attributes: string): string[] =>
  [...html.matchAll(new RegExp(`(?:${attributes})="(/[^"]*)"`, 'g'))].map(([, address = '']) =>
    address.replaceAll('&amp;', '&'),
  );

/**
 * Opens these pages and all that they lead to. Every link, file, form and redirect has to stay under the prefix, and
 * every page to answer. Of addresses that differ only in values of their query, such as the filters of a list, it opens
 * one. Returns the paths that were opened.
 */
export async function crawl(visitor: MemberBrowser, prefix: string, starts: string[]): Promise<string[]> {
  const isUnderPrefix = new RegExp(`^${prefix}([/?]|$)`);
  const opened = new Set(starts);
  const known = new Set(starts.map(withoutValues));
  for (const path of opened) {
    const { status, html, location } = await visitor.get(path);
    expect([path, [200, 303].includes(status)]).toEqual([path, true]);
    const links = [...addressesIn(html, 'href|src'), ...(location === null ? [] : [location])];
    for (const address of [...links, ...addressesIn(html, 'action|data-address')])
      expect([path, address]).toEqual([path, expect.stringMatching(isUnderPrefix)]);
    // Other languages are the same pages.
    for (const link of links) {
      const page = link.split('#')[0] ?? '';
      if (/[?&]lang=/.test(link) || known.has(withoutValues(page))) continue;
      known.add(withoutValues(page));
      opened.add(page);
    }
  }
  return [...opened];
}

/** `/list?status=paid` as `/list?status=`. */
const withoutValues = (address: string): string => address.replace(/=[^&]*/g, '=');
