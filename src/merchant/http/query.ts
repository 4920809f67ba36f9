// Query strings as typed values. What is not described is refused: a misspelt filter must not answer with everything.
// Express' own parser stays the simple one: `customer_uid[]=a&customer_uid[]=b` is one name with two texts to it.

import type { Request } from 'express';
import { z } from 'zod';
import { RequestFault } from '../errors';
import { parseRequest } from './parse-request';

/** The last second of the year 9999. */
const MAX_UNIX_SECONDS = 253_402_300_799;
/** §8: page size of §4.5 and §4.8; our own lists keep to it. */
const MAX_LIMIT = 1000;
const DEFAULT_LIMIT = 20;

/** Digits only: no sign, space, exponent or hexadecimal, and never a name that was given twice. */
export const wholeNumber = (least: number, most: number) =>
  z
    .string('must be given once, as a whole number')
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`));

export const pageNumber = wholeNumber(1, Number.MAX_SAFE_INTEGER).meta({ description: 'Starts at 1 (§8).' });
export const pageLimit = wholeNumber(1, MAX_LIMIT).meta({ description: 'Results per page.' });
export const unixSeconds = wholeNumber(0, MAX_UNIX_SECONDS);
export const flag = z.stringbool({ truthy: ['true'], falsy: ['false'], error: 'must be "true" or "false"' });

/** One text or several under one name. */
export const listOf = <Item extends z.ZodType<unknown, string>>(item: Item, most: number) =>
  z
    .union([z.string().transform((text) => [text]), z.array(z.string())], 'is required')
    .pipe(z.array(item).min(1).max(most, `at most ${most} at a time`));

/** Of lists of our own rows: newest first, and `after` takes the `next` of the page before. */
export const keysetQuery = {
  after: z
    .string()
    .regex(/^[1-9]\d{0,17}$/, 'must be the "next" of a page')
    .optional()
    .meta({ description: '`next` of the page before; absent for the first page.' }),
  limit: pageLimit.default(DEFAULT_LIMIT),
};

/** @throws RequestFault 400 `invalid_request` */
export function parseQuery<Schema extends z.ZodObject>(schema: Schema, { query }: Request): z.output<Schema> {
  const known = Object.keys(schema.shape);
  if (Object.keys(query).some((name) => !known.includes(name)))
    throw new RequestFault(400, 'invalid_request', `query: takes ${known.join(', ')} and nothing else`);
  return parseRequest(schema, { ...query });
}

/** A page outside the data range is a 400, as in §4.5; an empty first page is an empty list. */
export function refusePastTheEnd(list: readonly unknown[], page = 1): void {
  if (page > 1 && list.length === 0)
    throw new RequestFault(400, 'page_out_of_range', 'page: is outside the data range');
}

export function toDate(unixSeconds: number): Date {
  return new Date(unixSeconds * 1000);
}

/** As the document writes times: 0 for never. */
export function toUnixSeconds(date: Date | null): number {
  return date === null ? 0 : date.getTime() / 1000;
}

/** The two ends of a period, where they were given. */
export function toPeriod({ from, to }: { from?: number | undefined; to?: number | undefined }) {
  return {
    from: from === undefined ? undefined : toDate(from),
    to: to === undefined ? undefined : toDate(to),
  };
}

/** One page of rows of which one more than `limit` was asked for; `next` is null on the last page. */
export function keysetPage<Row extends { id: bigint }>(rows: Row[], limit: number) {
  const page = rows.slice(0, limit);
  return { page, next: rows.length > limit ? String(page.at(-1)?.id) : null };
}
