// Lists, in both shapes of the document: a plain array, and the paged object of §2.4.

import { z } from 'zod';
import { check, type ServiceResponse } from './record-fields';
import { toShownRecord, UnreadableRecordError, type ShownRecord } from './shown-record';

/** The records of a list. One that cannot be read does not hide the others, and is not dropped. */
export type Listed<T> = { list: T[]; unreadable: ShownRecord[] };

/** One page. `previous` and `next` are page numbers, 0 for none. */
export type Page<T> = Listed<T> & { total: number; previous: number; next: number };

const count = z.int().min(0);
const pageSchema = z.object({
  total: count,
  previous: count,
  next: count,
  list: z.array(z.unknown()).nullish(),
});

/** A plain array has no information about other pages. */
export function readPage<T>(response: ServiceResponse, readOne: (item: ServiceResponse) => T): Page<T> {
  const { payload, invalidResponse } = response;
  const { total, previous, next, list } = Array.isArray(payload)
    ? { total: payload.length, previous: 0, next: 0, list: payload as unknown[] }
    : check(pageSchema, response);
  return { total, previous, next, ...readEach(list ?? [], invalidResponse, readOne) };
}

/** A list without pages. Entries that were not found are left out. */
export function readList<T>(response: ServiceResponse, readOne: (item: ServiceResponse) => T): Listed<T> {
  const { payload, invalidResponse } = response;
  const list = Array.isArray(payload) ? (payload as unknown[]) : (check(pageSchema, response).list ?? []);
  return readEach(list.filter(isFound), invalidResponse, readOne);
}

function readEach<T>(
  items: readonly unknown[],
  invalidResponse: ServiceResponse['invalidResponse'],
  readOne: (item: ServiceResponse) => T,
): Listed<T> {
  const read: Listed<T> = { list: [], unreadable: [] };
  for (const item of items) {
    try {
      read.list.push(readOne({ payload: item, invalidResponse }));
    } catch (error) {
      read.unreadable.push(error instanceof UnreadableRecordError ? error.shown : toShownRecord(item, []));
    }
  }
  return read;
}

// §2.3 and §2.5: each entry has its own code. An entry that was not found is null or has a code other than 0.
function isFound(item: unknown): boolean {
  if (item === null) return false;
  const { code } = item as { code?: unknown };
  return code === undefined || code === null || code === 0;
}
