// Query parameters as typed values. Lists of our own rows (`list.ts`) use ISO 8601 times; routes that pass a query on
// to the service keep its page numbers and UNIX seconds (§4.5 to §4.8).

import { z } from 'zod';
import { isCustomerUid, isMerchantUid, isSvcUid } from '../../payment-service/identifiers';
import { MAX_UNIX_SECONDS, toUnixSeconds } from '../../payment-service/records/record-fields';
import { HttpError } from '../errors';
import { FieldError, platformErrors } from '../platform-errors';

/** §8: the page size of §4.5 and §4.8. Our own lists use the same. */
const MAX_LIMIT = 1000;

/** Digits only: no sign, space, exponent or hexadecimal, and no repeated parameter. */
const wholeNumber = (least: number, most: number) =>
  z
    .string('must be given once, as a whole number')
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`));

/** Part of the description of each route that passes a query on. */
export const AS_THE_SERVICE_PAGES =
  'The query and the answer are those of the payment service: pages have numbers, and times are UNIX seconds (§2.4).';

export const pageNumber = wholeNumber(1, Number.MAX_SAFE_INTEGER).meta({
  description: 'Number of the page; starts at 1 (§8).',
});
export const pageLimit = wholeNumber(1, MAX_LIMIT).meta({ description: 'Results per page.' });
export const unixSeconds = wholeNumber(0, MAX_UNIX_SECONDS);

/**
 * An ISO 8601 time with offset, within the years of the UNIX seconds that the service accepts. In a query an unescaped
 * "+" means a blank; a time never has a blank there, so we read it as "+" (our choice). The value stays a text, as the
 * API description needs; `toPeriod` makes dates.
 */
export const isoTime = z
  .string('must be given once, as a time')
  .transform((text) => text.replace(/ (?=\d\d:\d\d$)/, '+'))
  .pipe(
    z.iso
      .datetime({
        offset: true,
        abort: true,
        error: 'must be ISO 8601 with an offset, such as 2026-11-21T09:00:00+09:00',
      })
      .refine((text) => isOnTheWire(new Date(text)), 'must be between the years 1970 and 9999'),
  );

export const flag = z.stringbool({ truthy: ['true'], falsy: ['false'], error: 'must be "true" or "false"' });

/** Filters of our own lists. */
export const ofPayment = z
  .string()
  .refine(isSvcUid, 'is no svc_uid')
  .optional()
  .meta({ description: 'Of this payment.' });
export const ofOrder = z
  .string()
  .refine(isMerchantUid, 'is no merchant_uid')
  .optional()
  .meta({ description: 'Of this order.' });
export const ofBillingKey = z
  .string()
  .refine(isCustomerUid, 'is no customer_uid')
  .optional()
  .meta({ description: 'Of this billing key.' });

/** One or several values under one name. */
export const listOf = <Item extends z.ZodType<unknown, string>>(item: Item, most: number) =>
  z
    .union([z.string().transform((text) => [text]), z.array(z.string())], 'is required')
    .pipe(z.array(item).min(1).max(most, `at most ${most} at a time`));

/**
 * A page beyond the data is a 400, as in §4.5; an empty first page is an empty list.
 * @throws HttpError 400 `page_out_of_range`
 */
export function refusePastTheEnd(list: readonly unknown[], page = 1): void {
  if (page > 1 && list.length === 0)
    throw new HttpError(platformErrors.page_out_of_range, 'page: is outside the data range');
}

/**
 * The ends of an `isoTime` period, each undefined if not given.
 * @throws HttpError 400 `invalid_request` if it ends before it begins
 */
export function toPeriod({ from, to }: { from?: string | undefined; to?: string | undefined }) {
  const period = { from: toDate(from), to: toDate(to) };
  if (period.from && period.to && period.from > period.to)
    throw new FieldError('from', 'must not be later than to');
  return period;
}

function toDate(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}

function isOnTheWire(date: Date): boolean {
  const seconds = toUnixSeconds(date);
  return seconds >= 0 && seconds <= MAX_UNIX_SECONDS;
}

/** A time as in §2.4: 0 for never. */
export function toUnixSecondsOrZero(date: Date | null): number {
  return date === null ? 0 : toUnixSeconds(date);
}
