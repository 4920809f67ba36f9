// The address of the console with what is looked at in it, so that a view can be kept and shared.

import type { Request } from 'express';

/** What stays in the address from one page to the next. */
const KEPT = ['lang', 'q', 'show'];

export function viewAddress(request: Request, more: Record<string, string> = {}): string {
  return `/console${keptQuery(request, more)}`;
}

/** With its question mark, or ''. */
export function keptQuery({ query }: Request, more: Record<string, string> = {}): string {
  const kept = KEPT.flatMap((name) => {
    const value = query[name];
    return typeof value === 'string' && value !== '' ? [[name, value] as [string, string]] : [];
  });
  const text = new URLSearchParams([...kept, ...Object.entries(more)]).toString();
  return text === '' ? '' : `?${text}`;
}
