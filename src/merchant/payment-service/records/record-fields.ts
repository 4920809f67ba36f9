// Reads the records of §2. Each record is one table of fields, from which schema, mapping and type are derived. Fields
// that we rely on are strict. All others are read leniently, because responses gained fields and spellings over the
// years.

import { z } from 'zod';
import { cleanIdentifier, cleanText } from './clean-text';
import { toRawRecord, type JsonObject } from './raw-record';
import type { ServiceError } from './service-error';
import { toShownRecord, UnreadableRecordError } from './shown-record';

/** The payload of a success. `invalidResponse` creates the error for an invalid payload. */
export type ServiceResponse = { payload: unknown; invalidResponse: (detail: string) => ServiceError };

/** Our name of each field, with its name in the response and its type. */
type Fields = Record<string, readonly [wireName: string, type: z.ZodType]>;
type RecordTable<Listed extends Fields> = {
  fields: Listed;
  schema: z.ZodObject;
  names: { name: string; wireName: string }[];
};

/** The fields of a table, under our names. */
export type FieldsOf<Table> =
  Table extends RecordTable<infer Listed>
    ? { -readonly [Name in keyof Listed]: z.output<Listed[Name][1]> }
    : never;
export type RecordOf<Table> = FieldsOf<Table> & {
  /** The whole record under the document's names, safe to store. Computed on each access. */
  readonly raw: JsonObject;
};

/** One line per field: our name, the name in the response, the type. A new field needs no other change. */
export function recordTable<const Listed extends Fields>(fields: Listed): RecordTable<Listed> {
  const entries = Object.entries<Fields[string]>(fields);
  return {
    fields,
    schema: z.object(Object.fromEntries(entries.map(([, [wireName, type]]) => [wireName, type]))),
    names: entries.map(([name, [wireName]]) => ({ name, wireName })),
  };
}

/** @throws ServiceError `bad_answer` if a field that we rely on is missing or not as described */
export function readRecord<Table extends RecordTable<Fields>>(
  table: Table,
  response: ServiceResponse,
): RecordOf<Table> {
  const values = checkRecord(table.schema, response);
  const record = {
    get raw() {
      return toRawRecord(response.payload as object);
    },
  };
  return addFields(record, table, values);
}

/**
 * Like `readRecord`, without `raw`.
 * @throws ServiceError `bad_answer`
 */
export function readFields<Table extends RecordTable<Fields>>(
  table: Table,
  response: ServiceResponse,
): FieldsOf<Table> {
  return addFields({}, table, checkRecord(table.schema, response));
}

/** A record within another one, without `raw`. Returns null if a field is not as described. */
export function readEntry<Table extends RecordTable<Fields>>(
  table: Table,
  entry: unknown,
): FieldsOf<Table> | null {
  const parsed = table.schema.safeParse(entry);
  return parsed.success ? addFields({}, table, parsed.data) : null;
}

/** The error names the first field that is not as described, never its content. */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  { payload, invalidResponse }: ServiceResponse,
): z.output<Schema> {
  const parsed = schema.safeParse(payload);
  if (parsed.success) return parsed.data;
  throw invalidResponse(detailOf(parsed.error));
}

/**
 * The same for a record.
 * @param underLegacyNames the record with the names of §2.4
 * @throws UnreadableRecordError
 */
export function checkRecord<Schema extends z.ZodType>(
  schema: Schema,
  { payload, invalidResponse }: ServiceResponse,
  underLegacyNames: unknown = payload,
): z.output<Schema> {
  const parsed = schema.safeParse(payload);
  if (parsed.success) return parsed.data;
  const fields = new Set(parsed.error.issues.map(({ path }) => path.join('.')).filter((name) => name !== ''));
  const { facts } = invalidResponse(detailOf(parsed.error));
  throw new UnreadableRecordError(facts, toShownRecord(underLegacyNames, [...fields]));
}

function detailOf({ issues }: z.ZodError): string {
  const path = issues[0]?.path.join('.');
  return path ? `${path} is missing or not as described` : 'the record is no object';
}

// Adds to the object instead of copying it, because a copy would compute `raw` at once.
function addFields<Target extends object, Table extends RecordTable<Fields>>(
  target: Target,
  { names }: Table,
  values: Record<string, unknown>,
): Target & FieldsOf<Table> {
  const record = target as Record<string, unknown>;
  for (const { name, wireName } of names) record[name] = values[wireName];
  return record as Target & FieldsOf<Table>;
}

/** An integer from 0 to 2^53 - 1. In JSON, `1000.0` and `1e3` are valid; "1000", null, 0.5 and -1 are not. */
export const amount = z
  .int()
  .min(0)
  .transform((value) => value + 0); // turns -0 into 0

/** For cancel_amount and similar fields: absent or null is 0, anything else is an amount. */
export const amountOrZero = amount.nullish().transform((value) => value ?? 0);

/** Three letters, in upper case. Null otherwise: the field is optional (§2.4), and the verification refuses null. */
export const currency = z.transform((value) =>
  typeof value === 'string' && /^[A-Za-z]{3}$/.test(value) ? value.toUpperCase() : null,
);

/** An amount as the service may show it, also with a fraction; null if it is absent or no number. */
export const shownAmount = z.transform(toShownAmount);

/** The same for cancel_amount: absent or null is 0. */
export const shownAmountOrZero = z.transform((value) => toShownAmount(value ?? 0));

function toShownAmount(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

/** Free text with card numbers masked; null if empty. */
export const text = (maxLength: number) => z.transform((value) => toText(value, maxLength, cleanText));

/** Text that may be a long digit string, such as pg_tid. */
export const code = (maxLength: number) => z.transform((value) => toText(value, maxLength, cleanIdentifier));

/** An identifier that the record must have. */
export const identifier = (isIdentifier: (value: unknown) => value is string) =>
  z.string().refine(isIdentifier);

/** An optional identifier; null if malformed. One that is too long becomes null and is never cut. */
export const optionalIdentifier = (isIdentifier: (value: unknown) => value is string, maxLength: number) =>
  z.transform((value) => {
    const id = toText(value, maxLength + 1, cleanIdentifier);
    return isIdentifier(id) ? id : null;
  });

/** card_number: masked by the service and masked again here, because some payment companies show too many digits. */
export const maskedCardNumber = z.transform((value) =>
  toText(typeof value === 'string' ? value.replace(/x/gi, '*') : value, 32, cleanText),
);

/** A link that a page may show: http or https, and short enough to be stored whole. */
export const link = z.transform((value) => {
  const url = toText(value, 501, cleanIdentifier);
  return url !== null && url.length <= 500 && /^https?:\/\/[^\s"'<>]+$/i.test(url) ? url : null;
});

/**
 * UNIX seconds as a number or as text (§2.4 says both); null for 0, which means "never", and for any malformed value.
 */
export const timestamp = z.transform((value) => {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const seconds = Math.floor(Number(value));
  return seconds > 0 && seconds <= MAX_UNIX_SECONDS ? fromUnixSeconds(seconds) : null;
});

function toText(value: unknown, maxLength: number, clean: typeof cleanText): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  return clean(String(value), maxLength).trim() || null;
}

/** The last second of the year 9999. */
export const MAX_UNIX_SECONDS = 253_402_300_799;

/** Rounds down: the service's times have no fractions of a second. */
export function toUnixSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1_000);
}

export function fromUnixSeconds(seconds: number): Date {
  return new Date(seconds * 1_000);
}
