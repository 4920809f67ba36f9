// Pages as the document defines them (§2.4 paged result, §4.5, §4.8): numbered from 1, at most 1000 entries, 20 by
// default.

import { wholeNumber } from './fields';

export const DEFAULT_LIMIT = 20;
export const pageField = wholeNumber(1).default(1);
export const limitField = wholeNumber(1, 1000).default(DEFAULT_LIMIT);

/** The paged result around the records of one page; `previous` and `next` are 0 at the ends. */
export function paged<Item>(total: number, page: number, limit: number, list: Item[]) {
  const last = Math.ceil(total / limit);
  return {
    total,
    previous: page > 1 && page <= last + 1 ? page - 1 : 0,
    next: page < last ? page + 1 : 0,
    list,
  };
}
