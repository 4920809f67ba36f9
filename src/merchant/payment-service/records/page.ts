// Lists, in the two shapes that the document shows: a plain array, and the paged object of §2.4.

import { z } from 'zod';
import { isSvcUid } from '../identifiers';
import { check, type ServiceResponse } from './record-fields';

/** One page. `previous` and `next` are page numbers, 0 for none. */
export type Page<T> = {
  total: number;
  previous: number;
  next: number;
  list: T[];
  /**
   * Records on this page that lack what we rely on, by svc_uid (null where even that is missing): one bad record must
   * not hide the others from a reconciliation.
   */
  unreadable: (string | null)[];
};

const count = z.int().min(0);
const pageSchema = z.object({
  total: count,
  previous: count,
  next: count,
  list: z.array(z.unknown()).nullish(),
});

/** A record that cannot be read is set aside, so that the others can be. A plain array says nothing of other pages. */
export function readPage<T>(response: ServiceResponse, readOne: (item: ServiceResponse) => T): Page<T> {
  const { payload, invalidResponse } = response;
  const { total, previous, next, list } = Array.isArray(payload)
    ? { total: payload.length, previous: 0, next: 0, list: payload as unknown[] }
    : check(pageSchema, response);
  const page: Page<T> = { total, previous, next, list: [], unreadable: [] };
  for (const item of list ?? []) {
    try {
      page.list.push(readOne({ payload: item, invalidResponse }));
    } catch {
      page.unreadable.push(svcUidOf(item));
    }
  }
  return page;
}

/** A list without pages: every record has to be as described. */
export function readList<T>(response: ServiceResponse, readOne: (item: ServiceResponse) => T): T[] {
  const { payload, invalidResponse } = response;
  const list: unknown = Array.isArray(payload) ? payload : check(pageSchema, response).list;
  return (Array.isArray(list) ? list : [])
    .filter(isFound)
    .map((item: unknown) => readOne({ payload: item, invalidResponse }));
}

// §2.3 and §2.5: entries carry a code of their own, and one that was not found is null or has a code other than 0.
function isFound(item: unknown): boolean {
  if (item === null) return false;
  const { code } = item as { code?: unknown };
  return code === undefined || code === null || code === 0;
}

function svcUidOf(item: unknown): string | null {
  const { svc_uid } = (item ?? {}) as { svc_uid?: unknown };
  return isSvcUid(svc_uid) ? svc_uid : null;
}
