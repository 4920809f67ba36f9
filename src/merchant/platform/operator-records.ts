// Rows of an option that operators see: a list, a page for each row, items of the action queue, and a figure of the
// overview. The option says what there is, and the operators' pages draw it. So either of them can be removed without the other.

import type { z } from 'zod';

/**
 * How a value is shown. `words` are translated to the reader's language; `record` links to a page of another option, and
 * `subject` to the page of what its `of` names, if it has one.
 */
export type ColumnKind =
  | 'text'
  | 'id'
  | 'status'
  | 'amount'
  | 'time'
  | 'words'
  | 'order'
  | 'payment'
  | 'member'
  | 'key'
  | 'discrepancy'
  | 'record'
  | 'subject';

export type Column<Row, Name extends string = string> = {
  name: Name;
  kind: ColumnKind;
  value(row: Row): string | number | null;
  /** For an amount; null if the service omits it. */
  currency?(row: Row): string | null;
  /** For compared values: the kind of the discrepancy. For a record or a subject: its `place`. */
  of?(row: Row): string;
  /** Not in the table of the list, which is narrow. The CSV and the page of a row have it. */
  isDetail?: boolean;
  /** Not on a phone, where a row of the list has two lines. */
  isWide?: boolean;
};

/** Its words, beside those of the operator pages. */
export type RecordTexts = {
  /** The name of the list, by `place`. */
  places: Readonly<Record<string, string>>;
  /** What one row is called, by `place`. */
  things: Readonly<Record<string, string>>;
  /** The list without rows, by `place`. */
  empty: Readonly<Record<string, string>>;
  columns: Readonly<Record<string, string>>;
  statuses: Readonly<Record<string, string>>;
  /** Of its items in the action queue, by reason: what it may mean, and what to do. */
  meanings?: Readonly<Record<string, { means: string; todo: string }>>;
  /** The label of `figure`, by `place`. */
  figures: Readonly<Record<string, string>>;
  /** Of its actions, by name: what will happen, and what has happened, by the result of `act`. */
  asks?: Readonly<Record<string, string>>;
  done?: Readonly<Record<string, string>>;
  /** Why an action failed, by the code of the error. */
  failures?: Readonly<Record<string, string>>;
};

/** One of the values that an action asks for. */
export type ActionChoice = { value: string; issuer: string | null; text: string };

/** What an operator can do with a row, on its page. */
export type RecordAction<Context> = {
  /** In URLs. The operators' pages name it. */
  name: string;
  /** It cannot be undone. */
  isFinal?: boolean;
  isPossible(row: object): boolean;
  /** Absent: it asks for nothing. Without a choice it is not possible. */
  findChoices?(context: Context, row: object): Promise<readonly ActionChoice[]>;
  /**
   * Returns a name of `done`.
   * @param choice as it was sent; empty if it asks for nothing
   * @throws HttpError if it is refused
   */
  act(context: Context, id: string, choice: string): Promise<string>;
};

/** @typeParam Context that of `context.ts`, which imports this file */
export type OperatorRecords<Context> = {
  /** In URLs: the list is `/operator/{place}`, the page of a row `/operator/{place}/{id}`. */
  place: string;
  texts: Readonly<Record<'ko' | 'en', RecordTexts>>;
  /** The colours of its statuses, which only repeat what the word says. */
  tones: Readonly<Record<string, 'good' | 'bad' | 'warn' | 'plain'>>;
  /** The list of the JSON API (`http/list.ts`). It has the filter `member_id`. */
  list: {
    query: z.ZodObject;
    filterOf(query: Record<string, unknown>): unknown;
    read(context: Context, query: Record<string, unknown>): Promise<{ list: object[]; next: string | null }>;
  };
  /** The filters that the page shows, in this order. */
  filters: readonly string[];
  /** Of a row of the list. The first one is its id. */
  columns: readonly Column<object>[];
  /** If its feature has an `actionQueue` with such rows. Its `kind` is the `place`. */
  item?: {
    /** Why it waits: a name of `statuses` and `meanings`. */
    reason(row: object): string | null;
    /** The names of the columns that the item shows. */
    columns: readonly string[];
    /** The column of an order or a member whose page shows more, or where to act. */
    next(reason: string): string;
  };
  /** A row of the list with the merchant_uid of its orders, the newest first. Null if there is none with this id. */
  find(context: Context, id: string): Promise<{ row: object; orders: readonly string[] } | null>;
  /** In the order of the page. */
  actions?: readonly RecordAction<Context>[];
  /** How many were active at a time, for the overview. */
  figure(context: Context, at: Date): Promise<number>;
};
