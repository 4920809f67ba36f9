// Pages of our own lists: who follows `next` to the end sees each row once.

import fc from 'fast-check';
import { z } from 'zod';
import {
  isoTime,
  keysetPage,
  keysetQuery,
  pageLimit,
  pageNumber,
  toPeriod,
  unixSeconds,
} from '../../src/merchant/http/query';
import {
  fromUnixSeconds,
  MAX_UNIX_SECONDS,
  toUnixSeconds,
} from '../../src/merchant/payment-service/records/unix-time';
import { holds } from '../support/property';

type Row = { id: bigint };
const query = z.object(keysetQuery);
const id = fc.bigInt({ min: 1n, max: 10n ** 18n - 1n });
const ids = fc.uniqueArray(id, { maxLength: 60 });
const limit = fc.integer({ min: 1, max: 20 });
const newestFirst = (rows: Iterable<bigint>) => [...rows].sort((left, right) => (left < right ? 1 : -1));

/** One page as the stores read it: below `after`, newest first, one more than asked for. */
function readPage(rows: Iterable<bigint>, after: string | undefined, asked: number) {
  const parsed = query.parse({ after, limit: String(asked) });
  const below = newestFirst(rows).filter((each) => parsed.after === undefined || each < BigInt(parsed.after));
  return keysetPage<Row>(
    below.slice(0, parsed.limit + 1).map((each) => ({ id: each })),
    parsed.limit,
  );
}

test('whoever follows `next` to its end sees every row once, newest first, in pages of the size asked for', () => {
  holds(
    fc.property(ids, limit, (rows, asked) => {
      const seen: bigint[] = [];
      let next: string | null = null;
      do {
        const { page, next: following } = readPage(rows, next ?? undefined, asked);
        if (following !== null) expect(page).toHaveLength(asked);
        expect(page.length > 0 || rows.length === 0).toBe(true);
        seen.push(...page.map((row) => row.id));
        next = following;
      } while (next !== null);
      expect(seen).toEqual(newestFirst(rows));
    }),
  );
});

test('rows that come or go between two pages neither hide nor double one that was there all the time', () => {
  const change = fc.record({ added: fc.bigInt({ min: 1n, max: 1000n }), gone: fc.nat(59) });
  const old = fc.uniqueArray(fc.bigInt({ min: 1n, max: 10n ** 6n }), { minLength: 1, maxLength: 40 });
  holds(
    fc.property(old, limit, fc.array(change, { maxLength: 40 }), (rows, asked, changes) => {
      const now = new Set(rows);
      const stayed = new Set(rows);
      const seen: bigint[] = [];
      let next: string | null = null;
      for (let turn = 0; ; turn += 1) {
        const { page, next: following } = readPage(now, next ?? undefined, asked);
        seen.push(...page.map((row) => row.id));
        if (following === null) break;
        next = following;
        const { added, gone } = changes[turn] ?? { added: 1n, gone: 0 };
        const lost = rows[gone % rows.length] as bigint;
        now.delete(lost);
        stayed.delete(lost);
        // Ids only grow: a new row is newer than all.
        now.add(10n ** 7n + BigInt(turn) * 1000n + added);
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect([...stayed].filter((row) => !seen.includes(row))).toEqual([]);
    }),
  );
});

test('a `next` is taken as `after`, and nothing that is no such number is', () => {
  const text = fc.oneof(
    fc.string(),
    fc.stringMatching(/^[0-9]{1,25}$/),
    fc.constantFrom('0', '-1', '1e3', '0x1', ' 1', '1\n', '１', '+1', '1.0', ['1', '2']),
  );
  holds(
    fc.property(text, id, (each, good) => {
      expect(query.parse({ after: String(good) }).after).toBe(String(good));
      const isTaken = query.safeParse({ after: each }).success;
      expect(isTaken).toBe(
        typeof each === 'string' &&
          each === String(toBigInt(each)) &&
          each.length <= 18 &&
          each !== '0' &&
          !each.startsWith('-'),
      );
    }),
  );
});

test('a number of a query is taken exactly where it is written in digits alone and lies within its bounds', () => {
  const text = fc.oneof(
    fc.string(),
    fc.nat(3000).map(String),
    fc.maxSafeNat().map(String),
    fc.constantFrom(
      '1e3',
      '0x10',
      '-1',
      '+1',
      ' 1',
      '1.0',
      '',
      '１',
      '000000000000001',
      '9999999999999999999',
      'Infinity',
    ),
  );
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

const moment = fc.date({ min: new Date(0), max: new Date(MAX_UNIX_SECONDS * 1000), noInvalidDate: true });

test('a time of a query is the same moment under each offset, also where the "+" came as a blank', () => {
  const offset = fc.integer({ min: -14 * 60, max: 14 * 60 });
  holds(
    fc.property(
      moment.filter((date) => date.getTime() > 9e7 && date.getTime() < 253_402_200_000_000),
      offset,
      (date, minutes) => {
        const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
        const size = Math.abs(minutes);
        const zone = `${minutes < 0 ? '-' : '+'}${String(Math.floor(size / 60)).padStart(2, '0')}:${String(size % 60).padStart(2, '0')}`;
        for (const text of [local + zone, (local + zone).replace('+', ' ')])
          expect(new Date(isoTime.parse(text))).toEqual(date);
      },
    ),
  );
});

test('a period may be a single moment, and never ends before it begins', () => {
  const end = fc.option(moment);
  const ends = fc.oneof(
    fc.tuple(end, end),
    end.map((each) => [each, each] as const),
  );
  holds(
    fc.property(ends, ([from, to]) => {
      const texts = { from: from?.toISOString(), to: to?.toISOString() };
      if (from && to && from > to) expect(() => toPeriod(texts)).toThrow('from: must not be later than to');
      else expect(toPeriod(texts)).toEqual({ from: from ?? undefined, to: to ?? undefined });
    }),
  );
});

test('a time on the wire is its second, and a second comes back as it was', () => {
  holds(
    fc.property(moment, (date) => {
      const seconds = toUnixSeconds(date);
      expect(Number.isSafeInteger(seconds)).toBe(true);
      const back = fromUnixSeconds(seconds);
      expect(date.getTime() - back.getTime()).toBeGreaterThanOrEqual(0);
      expect(date.getTime() - back.getTime()).toBeLessThan(1000);
      expect(toUnixSeconds(back)).toBe(seconds);
    }),
  );
});

function toBigInt(text: string): bigint | null {
  try {
    return BigInt(text);
  } catch {
    return null;
  }
}
