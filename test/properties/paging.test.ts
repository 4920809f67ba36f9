// Pages of our own lists: following `next` to the end shows each row once.

import fc from 'fast-check';
import { MAX_UNIX_SECONDS } from '../../src/merchant/payment-service/records/record-fields';
import type { Context } from '../../src/merchant/platform/context';
import { byId, defineList } from '../../src/merchant/platform/http/list';
import {
  isoTime,
  pageLimit,
  pageNumber,
  toPeriod,
  unixSeconds,
} from '../../src/merchant/platform/http/query';
import { holds } from '../support/property';

const newestFirst = (ids: readonly bigint[]) => [...ids].sort((left, right) => (left < right ? 1 : -1));

/** A list as the stores read it: below `after`, newest first. */
const listOf = (ids: readonly bigint[]) =>
  defineList({
    filters: {},
    cursor: byId,
    find: (_context, { after }, take) =>
      Promise.resolve(
        newestFirst(ids)
          .filter((id) => after === undefined || id < after)
          .slice(0, take)
          .map((id) => ({ id })),
      ),
    json: ({ id }) => id,
  });
/** No filter. */
const context = {} as Context;

test('following `next` shows every row once, newest first, in pages of the requested size', async () => {
  const ids = fc.uniqueArray(fc.bigInt({ min: 1n, max: 10n ** 17n }), { maxLength: 60 });
  await holds(
    fc.asyncProperty(ids, fc.integer({ min: 1, max: 20 }), async (rows, asked) => {
      const { query, read } = listOf(rows);
      const seen: bigint[] = [];
      for (let after: string | undefined, isLast = false; !isLast;) {
        const { list, next } = await read(context, query.parse({ after, limit: String(asked) }));
        seen.push(...list);
        isLast = next === null;
        if (next !== null) expect(list).toHaveLength(asked);
        after = next ?? undefined;
      }
      expect(seen).toEqual(newestFirst(rows));
    }),
  );
});

test('every `next` is accepted as `after`, and no other text', () => {
  const odd = fc.constantFrom('0', '-1', '1e3', '0x1', ' 1', '1\n', '１', '+1', '1.0', ['1', '2']);
  holds(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9]{1,25}$/), odd), (each) => {
      const isNext = typeof each === 'string' && !/^0|[^0-9]/.test(each);
      const fits = each.length > 0 && each.length <= 18;
      expect(listOf([]).query.safeParse({ after: each }).success).toBe(isNext && fits);
    }),
  );
});

test('a number of a query is accepted exactly if it has only digits and is within its bounds', () => {
  const odd = ['1e3', '0x10', '-1', '+1', ' 1', '1.0', '', '１', '000000000000001', '9999999999999999999'];
  const number = fc.oneof(fc.nat(3000), fc.maxSafeNat(), fc.constant(Infinity)).map(String);
  const text = fc.oneof(fc.string(), number, fc.constantFrom(...odd));
  const fields = [
    [pageLimit, 1, 1000],
    [pageNumber, 1, Number.MAX_SAFE_INTEGER],
    [unixSeconds, 0, MAX_UNIX_SECONDS],
  ] as const;
  holds(
    fc.property(text, fc.constantFrom(...fields), (each, [schema, least, most]) => {
      const parsed = schema.safeParse(each);
      const isNumber = /^[0-9]{1,15}$/.test(each) && Number(each) >= least && Number(each) <= most;
      expect(parsed.success ? parsed.data : null).toBe(isNumber ? Number(each) : null);
      expect(schema.safeParse([each]).success).toBe(false);
    }),
  );
});

test('a time of a query is the same moment with each offset, also if the "+" arrived as a blank', () => {
  const offsets = ['00:00:00Z', '09:00:00+09:00', '09:00:00 09:00', '05:30:00+05:30'];
  for (const offset of offsets)
    expect(new Date(isoTime.parse(`2026-11-21T${offset}`))).toEqual(new Date('2026-11-21T00:00:00Z'));
  expect(new Date(isoTime.parse('2026-11-20T20:30:00-03:30'))).toEqual(new Date('2026-11-21T00:00:00Z'));
});

test('a period may be open or a single moment, and never ends before it begins', () => {
  const [early, late] = ['2026-11-21T00:00:00Z', '2026-11-21T00:00:01Z'];
  expect(toPeriod({ from: early, to: early })).toEqual({ from: new Date(early), to: new Date(early) });
  expect(toPeriod({ from: early })).toEqual({ from: new Date(early) });
  expect(() => toPeriod({ from: late, to: early })).toThrow('from: must not be later than to');
});
