// The console's address with language, search and filter, so that a view can be bookmarked and shared.

import type { Request } from 'express';

/** Query parameters that are kept from one page to the next. */
const KEPT = ['lang', 'q', 'show'];

export function viewAddress(request: Request, more: Record<string, string> = {}): string {
  return `/console${keptQuery(request, more)}`;
}

/** With its question mark, or '' if no parameter is set. */
export function keptQuery({ query }: Request, more: Record<string, string> = {}): string {
  const kept = KEPT.flatMap((name) => {
    const value = query[name];
    return typeof value === 'string' && value !== '' ? [[name, value] as [string, string]] : [];
  });
  const text = new URLSearchParams([...kept, ...Object.entries(more)]).toString();
  return text === '' ? '' : `?${text}`;
}
