// Lists, in both shapes of the document: a plain array, and the paged object of §2.4.

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
   * Records of this page without a field that we rely on, by svc_uid (null if that is missing too): one bad record must
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

/**
 * Puts an unreadable record aside, so that the others can be read. A plain array has no information about other pages.
 */
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

/** A list without pages. Every record must be as described. */
export function readList<T>(response: ServiceResponse, readOne: (item: ServiceResponse) => T): T[] {
  const { payload, invalidResponse } = response;
  const list: unknown = Array.isArray(payload) ? payload : check(pageSchema, response).list;
  return (Array.isArray(list) ? list : [])
    .filter(isFound)
    .map((item: unknown) => readOne({ payload: item, invalidResponse }));
}

// §2.3 and §2.5: each entry has its own code. An entry that was not found is null or has a code other than 0.
function isFound(item: unknown): boolean {
  if (item === null) return false;
  const { code } = item as { code?: unknown };
  return code === undefined || code === null || code === 0;
}

function svcUidOf(item: unknown): string | null {
  const { svc_uid } = (item ?? {}) as { svc_uid?: unknown };
  return isSvcUid(svc_uid) ? svc_uid : null;
}
