// Lists, in the shapes that the document and the service know: a plain array, or the paged object of §2.4.
import { z } from 'zod';
import { check, type BadAnswer } from './check';
import type { Answer } from './exchange';
import { isSvcUid } from './identifiers';
import type { Page } from './records';

type Read<T> = (payload: unknown, bad: BadAnswer) => T;

const count = z.int().min(0);
const pageSchema = z.object({
  total: count,
  previous: count,
  next: count,
  list: z.array(z.unknown()).nullish(),
});

/** A record that cannot be read is set aside, so that the others can be. A plain array says nothing of other pages. */
export function readPage<T>({ payload, bad }: Answer, readOne: Read<T>): Page<T> {
  const { total, previous, next, list } = Array.isArray(payload)
    ? { total: payload.length, previous: 0, next: 0, list: payload as unknown[] }
    : check(pageSchema, payload, bad);
  const page: Page<T> = { total, previous, next, list: [], unreadable: [] };
  for (const item of list ?? []) {
    try {
      page.list.push(readOne(item, bad));
    } catch {
      page.unreadable.push(svcUidOf(item));
    }
  }
  return page;
}

/** A list without pages: every record has to be as described. */
export function readList<T>({ payload, bad }: Answer, readOne: Read<T>): T[] {
  const list: unknown = Array.isArray(payload) ? payload : check(pageSchema, payload, bad).list;
  return (Array.isArray(list) ? list : []).filter(isFound).map((item) => readOne(item, bad));
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

/** Portions of a list that has to be asked for in several calls. */
export function portions<T>(list: readonly T[], size: number): T[][] {
  const count = Math.ceil(list.length / size);
  return Array.from({ length: count }, (_, index) => list.slice(index * size, (index + 1) * size));
}

/** UNIX seconds, as the wire has them. */
export function toUnixSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1_000);
}
