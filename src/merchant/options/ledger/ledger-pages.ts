// The ledger on the operator pages, and its CSV. Times are those of Seoul in both.

import type { Context, PaymentLink, SeenPayment } from '../../platform/context';
import { parseRequest } from '../../platform/http/body-fields';
import {
  toPage,
  type OperatorAnswer,
  type OperatorRequest,
  type OperatorRoute,
} from '../operator/frame/page';
import { csvFile, csvTime, ROWS_OF_A_READ } from '../operator/lists/csv';
import { addressOf, givenFilters } from '../operator/lists/list-page';
import { movementJson, type MovementJson } from './ledger-routes';
import { findMovementsOf, type Movement } from './ledger-store';
import { dayInSeoul, ledgerQuery, periodOf, readMovements, readSums, type LedgerQuery } from './read-ledger';
import { en } from './texts.en';
import { ko, type LedgerTexts } from './texts.ko';

export const LEDGER_PATH = '/operator/ledger';
const ROWS_OF_A_PAGE = 50;
/** Of the CSV, in this order. `fee` and `paid_out_on` are empty until a settlement file is imported. */
const COLUMNS = Object.keys(ko.columns) as (keyof MovementJson)[];

export const LEDGER_PAGES: readonly OperatorRoute[] = [
  {
    method: 'get',
    path: LEDGER_PATH,
    filters: Object.keys(ledgerQuery.shape),
    back: () => LEDGER_PATH,
    handle: showLedger,
  },
  {
    method: 'get',
    path: `${LEDGER_PATH}.csv`,
    back: () => LEDGER_PATH,
    handle: sendCsv,
  },
];

async function showLedger(context: Context, { query: given }: OperatorRequest): Promise<OperatorAnswer> {
  const query = parseQuery(givenFilters(given), ROWS_OF_A_PAGE);
  const { from, to } = periodOf(query, context.clock.now());
  const [{ list, next }, sums] = await Promise.all([readMovements(context, query), readSums(context, query)]);
  const days = { from: dayInSeoul(from), to: dayInSeoul(to) };
  return toPage({
    template: '../ledger/ledger',
    title: ({ lang }) => (lang === 'en' ? en : ko).title,
    place: 'ledger',
    data: {
      words: { ko, en },
      days,
      sums,
      rows: list,
      isFirst: query.after === undefined,
      first: addressOf(LEDGER_PATH, days),
      next: next === null ? null : addressOf(LEDGER_PATH, { ...days, after: next }),
      csvIn: (heads: string) => addressOf(`${LEDGER_PATH}.csv`, { ...days, heads }),
    },
  });
}

/** `heads`: the language of the heads and of the kinds, Korean by default. */
async function sendCsv(context: Context, { query: given }: OperatorRequest): Promise<OperatorAnswer> {
  const { heads, ...filters } = givenFilters(given);
  // Report a wrong filter before the file starts.
  const query = parseQuery(filters, ROWS_OF_A_READ);
  const { from, to } = periodOf(query, context.clock.now());
  return Promise.resolve({
    kind: 'csv',
    name: `ledger-${dayInSeoul(from)}-${dayInSeoul(to)}`,
    lines: csvLines(context, query, heads === 'en' ? en : ko),
  });
}

/** The lines of one payment, each on the page of its day. */
export async function ledgerLinks(context: Context, { svcUid }: SeenPayment): Promise<PaymentLink[]> {
  const movements = await findMovementsOf(context, 'svc_uid', [svcUid]);
  return movements.map(({ at, kind, amount, currency }) => {
    const day = dayInSeoul(at);
    return {
      name: { ko: `${ko.title}: ${ko[kind]}`, en: `${en.title}: ${en[kind]}` },
      href: addressOf(LEDGER_PATH, { from: day, to: day }),
      ...{ at, currency, amount: Number(amount) },
    };
  });
}

function csvLines(context: Context, query: LedgerQuery, words: LedgerTexts): AsyncIterable<string> {
  return csvFile(
    COLUMNS.map((name) => words.columns[name]),
    async (after) => {
      const { list, next } = await readMovements(context, { ...query, after: after ?? undefined });
      return { rows: list.map((each) => cellsOf(each, words)), next };
    },
  );
}

/** A movement as the API answers it, with the words of the language and the time of Seoul: `2026-11-21 18:00:00`. */
function cellsOf(movement: Movement, words: LedgerTexts): (string | number | null)[] {
  const json = movementJson(movement);
  const shown = { ...json, at: csvTime(json.at), kind: words[json.kind] };
  return COLUMNS.map((name) => shown[name] ?? null);
}

/** @throws HttpError 400 `invalid_request` */
function parseQuery(filters: Record<string, string>, limit: number): LedgerQuery {
  return parseRequest(ledgerQuery.strict(), { ...filters, limit: String(limit) });
}
