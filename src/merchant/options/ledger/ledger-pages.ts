// The ledger on the operator pages, and its CSV. Times are those of Seoul in both.

import { noteField } from '../../core/attempts/attempt-schema';
import { dayInSeoul } from '../../platform/clock';
import type { Context, PaymentLink, SeenPayment } from '../../platform/context';
import { parseRequest, strictBody } from '../../platform/http/body-fields';
import {
  actionRoute,
  formFields,
  toPage,
  type DoneKey,
  type OperatorAnswer,
  type OperatorRequest,
  type OperatorRoute,
} from '../operator/frame/page';
import { csvFile, csvTime, ROWS_OF_A_READ } from '../operator/lists/csv';
import { addressOf, givenFilters } from '../operator/lists/list-page';
import { en as operatorEn, ko as operatorKo } from '../operator/texts';
import { movementJson, totalJson, type MovementJson } from './ledger-routes';
import type { Movement } from './ledger-store';
import { decideProblem, problemList } from './problem-routes';
import { countOpenProblems } from './problem-store';
import { ledgerQuery, periodOf, readMovements, readSums, type LedgerQuery } from './read-ledger';
import { findMovementsOf } from './settlement-store';
import { en } from './texts.en';
import { ko, type LedgerTexts } from './texts.ko';

export const LEDGER_PATH = '/operator/ledger';
const ROWS_OF_A_PAGE = 40;
/** Of the page that is printed. The CSV has no limit. */
const ROWS_OF_PRINT = 1000;
const PROBLEMS_SHOWN = 50;
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
  actionRoute({
    path: `${LEDGER_PATH}/problems/:id/resolve`,
    action: 'resolve',
    back: () => LEDGER_PATH,
    page: showLedger,
    act: resolveProblem,
  }),
];

const noteSchema = strictBody({ note: noteField });

async function resolveProblem(
  context: Context,
  { params, body, by, log }: OperatorRequest,
): Promise<DoneKey> {
  const { note } = parseRequest(noteSchema, formFields(body));
  log({ settlement_problem_id: params['id'] ?? '' });
  await decideProblem(context, params['id'] ?? '', { by, note });
  return 'settled';
}

async function showLedger(context: Context, { query: given }: OperatorRequest): Promise<OperatorAnswer> {
  const { limit, ...filters } = givenFilters(given);
  const isForPrint = limit === String(ROWS_OF_PRINT);
  const query = parseQuery(filters, isForPrint ? ROWS_OF_PRINT : ROWS_OF_A_PAGE);
  const { from, to } = periodOf(query, context.clock.now());
  const [{ list, next }, { days, totals }, problems, openProblems] = await Promise.all([
    readMovements(context, query),
    readSums(context, query),
    problemList.read(context, { open: true, limit: PROBLEMS_SHOWN }),
    countOpenProblems(context),
  ]);
  const period = { from: dayInSeoul(from), to: dayInSeoul(to) };
  const { paid_out: paidOut = '' } = filters;
  const asked = { ...period, ...(paidOut !== '' && { paid_out: paidOut }) };
  return toPage({
    template: '../ledger/ledger',
    title: ({ lang }) => (lang === 'en' ? en : ko).title,
    place: 'ledger',
    data: {
      words: { ko, en },
      period,
      paidOut,
      months: monthsBefore(dayInSeoul(context.clock.now())),
      problems: problems.list,
      openProblems,
      days,
      wholeDays: sumsByCurrency(days),
      totals: totals.map(totalJson),
      wholeTotals: sumsByCurrency(totals.map(totalJson)),
      rows: list.map((movement) => ({ ...movementJson(movement), refund_id: movement.refundId })),
      isForPrint,
      isFirst: query.after === undefined,
      first: addressOf(LEDGER_PATH, asked),
      next: next === null || isForPrint ? null : addressOf(LEDGER_PATH, { ...asked, after: next }),
      hasMore: next !== null,
      forPrint: addressOf(LEDGER_PATH, { ...asked, limit: String(ROWS_OF_PRINT) }),
      mostPrinted: ROWS_OF_PRINT,
      csvIn: (heads: string) => addressOf(`${LEDGER_PATH}.csv`, { ...asked, heads }),
    },
  });
}

/** This month and the one before, from their first day to their last. */
function monthsBefore(today: string): Record<'this' | 'last', { from: string; to: string }> {
  const [year = 0, month = 0] = today.split('-').map(Number);
  const monthAt = (back: number) => ({
    from: new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 10),
    to: new Date(Date.UTC(year, month - back, 0)).toISOString().slice(0, 10),
  });
  return { this: monthAt(0), last: monthAt(1) };
}

/** The sum of each number of the rows, for each currency. */
function sumsByCurrency(rows: readonly { currency: string }[]): Record<string, string | number>[] {
  const sums = new Map<string, Record<string, string | number>>();
  for (const row of rows) {
    const sum = sums.get(row.currency) ?? { currency: row.currency };
    for (const [name, value] of Object.entries(row as Record<string, unknown>))
      if (typeof value === 'number') sum[name] = Number(sum[name] ?? 0) + value;
    sums.set(row.currency, sum);
  }
  return [...sums.values()];
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
    lines: csvLines(context, query, heads === 'en' ? 'en' : 'ko'),
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

function csvLines(context: Context, query: LedgerQuery, lang: 'ko' | 'en'): AsyncIterable<string> {
  const words = { ko, en }[lang];
  const methods = { ko: operatorKo, en: operatorEn }[lang].operator.payMethods;
  return csvFile(
    COLUMNS.map((name) => words.columns[name]),
    async (after) => {
      const { list, next } = await readMovements(context, { ...query, after: after ?? undefined });
      return { rows: list.map((each) => cellsOf(each, words, methods)), next };
    },
  );
}

/** A movement as the API answers it, with the words of the language and the time of Seoul: `2026-11-21 18:00:00`. */
function cellsOf(
  movement: Movement,
  words: LedgerTexts,
  methods: Readonly<Record<string, string>>,
): (string | number | null)[] {
  const json = movementJson(movement);
  const shown = {
    ...json,
    at: csvTime(json.at),
    kind: words[json.kind],
    pay_method: methodIn(methods, json.pay_method),
  };
  return COLUMNS.map((name) => shown[name] ?? null);
}

const methodIn = (methods: Readonly<Record<string, string>>, method: string | null) =>
  method === null ? null : (methods[method] ?? method);

/** @throws HttpError 400 `invalid_request` */
function parseQuery(filters: Record<string, string>, limit: number): LedgerQuery {
  return parseRequest(ledgerQuery.strict(), { ...filters, limit: String(limit) });
}
