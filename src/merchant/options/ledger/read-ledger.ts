// Reads the ledger: the period as days in Seoul, pages of movements, and the sums of the whole period. The JSON API, the
// operator page and its CSV read the same.

import { z } from 'zod';
import { isSvcUid } from '../../payment-service/identifiers';
import { DAY_MS, dayInSeoul, SEOUL_OFFSET } from '../../platform/clock';
import type { Context } from '../../platform/context';
import { HttpError } from '../../platform/errors';
import { flag, isoTime, pageLimit, toPeriod } from '../../platform/http/query';
import { platformErrors } from '../../platform/platform-errors';
import {
  findMovements,
  type LedgerFilter,
  type LedgerPeriod,
  type Movement,
  type Place,
} from './ledger-store';
import { sumMovements, type Sums } from './sum-store';

/** A quarter of a year, the period of a VAT return. */
const MOST_DAYS = 92;
const DAY = /^\d{4}-\d\d-\d\d$/;
const START = '00:00:00.000';
const END = '23:59:59.999';

/** A day becomes the time of its edge. The value stays a text, as the API description needs. */
const dayOrTime = (edge: string) =>
  z
    .string('must be given once, as a day such as 2026-11-21')
    .transform((text) => (DAY.test(text) ? `${text}T${edge}${SEOUL_OFFSET}` : text))
    .refine((text) => isoTime.safeParse(text).success, {
      error: 'must be a day such as 2026-11-21, or a time with offset such as 2026-11-21T09:00:00+09:00',
      abort: true,
    })
    .pipe(isoTime);

const NOT_A_PLACE = 'must be the "next" of a page';
export const ledgerQuery = z.object({
  from: dayOrTime(START).optional().meta({
    description:
      'The first day in Seoul, such as 2026-11-01, or a time. By default the first day of the month of `to`.',
  }),
  to: dayOrTime(END)
    .optional()
    .meta({
      description: `The last day, which is included, or a time. By default today. At most ${MOST_DAYS} days after \`from\`.`,
    }),
  paid_out: flag.optional().meta({
    description:
      '`false`: only what no settlement file has named; `true`: only what one has. Sums and totals follow it.',
  }),
  after: z
    .string()
    .refine((text) => toPlace(text) !== null, NOT_A_PLACE)
    .optional()
    .meta({
      description:
        '`next` of the page before, with the same `from`, `to` and `paid_out`; absent for the first page.',
    }),
  limit: pageLimit.default(20),
});

export type LedgerQuery = z.output<typeof ledgerQuery>;
type LedgerPage = { list: Movement[]; next: string | null };

/** @throws HttpError 400 `invalid_request` if it ends before it begins, or is too long */
export function periodOf({ from, to }: Pick<LedgerQuery, 'from' | 'to'>, now: Date): LedgerPeriod {
  const end = to ?? `${dayInSeoul(now)}T${END}${SEOUL_OFFSET}`;
  const start = from ?? `${dayInSeoul(new Date(end)).slice(0, 7)}-01T${START}${SEOUL_OFFSET}`;
  const period = toPeriod({ from: start, to: end }) as LedgerPeriod;
  if (period.to.getTime() - period.from.getTime() >= MOST_DAYS * DAY_MS)
    throw new HttpError(
      platformErrors.invalid_request,
      `to: must be less than ${MOST_DAYS} days after from; read a longer time in parts`,
    );
  return period;
}

/** A page of movements. Each stands in exactly one page, because no two have the same place. */
export async function readMovements(context: Context, query: LedgerQuery): Promise<LedgerPage> {
  const { after, limit } = query;
  const place = after === undefined ? undefined : (toPlace(after) ?? undefined);
  // One more row than shown tells whether there is a next page.
  const rows = await findMovements(context, filterOf(context, query), place, limit + 1);
  const list = rows.slice(0, limit);
  const last = rows.length > limit ? list.at(-1) : undefined;
  return { list, next: last === undefined ? null : toText(last) };
}

/** Sums of the whole period, whatever the page. */
export async function readSums(context: Context, query: LedgerQuery): Promise<Sums> {
  return sumMovements(context, filterOf(context, query));
}

const filterOf = ({ clock }: Context, query: LedgerQuery): LedgerFilter => ({
  ...periodOf(query, clock.now()),
  isPaidOut: query.paid_out,
});

function toText({ at, svcUid, part }: Place): string {
  return `${at.toISOString()},${svcUid},${part}`;
}

/** Null if the text is no place. */
function toPlace(text: string): Place | null {
  const [, time = '', svcUid = '', part = ''] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z),(.{1,64}),(-1|\d{1,18})$/.exec(text) ?? [];
  const at = new Date(time);
  return isSvcUid(svcUid) && !Number.isNaN(at.getTime()) ? { at, svcUid, part: BigInt(part) } : null;
}
