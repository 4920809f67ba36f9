// Links of our Markdown pages, and the anchors of a page.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../../../../test/support/shop-copy';

const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');

/** Targets of links and pictures, in Markdown and in HTML. Code is left out. */
export function linksOf(page: string): string[] {
  const text = withoutCode(read(page));
  const forms = [
    /\]\(<?([^()\s<>]+)>?(?: "[^"]*")?\)/g,
    /^\[[^\]]+\]: +(\S+)/gm,
    /(?:src|href)="([^"]+)"/g,
    /<(https?:[^>\s]+)>/g,
  ];
  return forms.flatMap((form) => [...text.matchAll(form)].map(([, target = '']) => target));
}

export const isExternal = (link: string) => /^[a-z][a-z+.-]*:/i.test(link);

/** The problem of a link into this repository, or null. */
export function relativeProblem(page: string, link: string): string | null {
  const [target = '', anchor] = link.split('#');
  const path = target === '' ? page : join(dirname(page), decodeURIComponent(target));
  if (path.startsWith('..')) return 'leads out of the repository';
  if (!existsSync(join(ROOT, path))) return `${path} is not there`;
  if (anchor === undefined) return null;
  const [, from, to = from] = /^L(\d+)(?:-L(\d+))?$/.exec(anchor) ?? [];
  if (!path.endsWith('.md'))
    return Number(to) <= read(path).split('\n').length ? null : `${path} has no place ${anchor}`;
  return anchorsOf(read(path)).includes(decodeURIComponent(anchor))
    ? null
    : `${path} has no heading ${anchor}`;
}

/** By its form only, without network access. */
export function externalProblem(link: string): string | null {
  if (/^mailto:[^@\s]+@[^@\s]+\.\w+$/.test(link)) return null;
  if (!URL.canParse(link)) return 'is no address';
  const { protocol, hostname, username } = new URL(link);
  const isHere = hostname === 'localhost';
  if (protocol !== 'https:' && !(protocol === 'http:' && isHere)) return `is not read over https`;
  if (username !== '') return 'has a user name';
  return isHere || hostname.includes('.') ? null : `names no host: ${hostname}`;
}

/** As GitHub makes them from headings, and those of HTML. A repeated heading has a number. */
export function anchorsOf(text: string): string[] {
  const seen = new Map<string, number>();
  const headings = [...withoutCode(text, ['```']).matchAll(/^#{1,6} (.+?)(?: +#+)?$/gm)];
  const slugs = headings.map(([, heading = '']) => {
    const slug = slugOf(heading);
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  });
  return [...slugs, ...[...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, name = '']) => name)];
}

/** From the visible text: lower case, no punctuation, hyphens for spaces. */
function slugOf(heading: string): string {
  return heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]+>/g, '')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}

function withoutCode(text: string, fences: readonly string[] = ['```', '`']): string {
  return fences.reduce((rest, fence) => rest.replace(new RegExp(`${fence}[^]*?${fence}`, 'g'), ''), text);
}
