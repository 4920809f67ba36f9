// A record that cannot be read in full. Nothing that the service shows is dropped: a person sees its ids and its amount as
// they were shown.

import { cleanIdentifier, cleanText } from './clean-text';
import { ServiceError } from './service-error';

/**
 * What a record shows, as text for people; null for what it lacks. Nothing of it was checked, so none of it may be used
 * in a path.
 */
export type ShownRecord = {
  svcUid: string | null;
  merchantUid: string | null;
  customerUid: string | null;
  /** As JSON: a text has quotes. */
  amount: string | null;
  currency: string | null;
  status: string | null;
  /** The fields that are missing or not as described, under the document's names. */
  fields: string[];
};

/** An id can have any length. A longer one is cut, and ends in an ellipsis. */
export const LONGEST_SHOWN_ID = 300;

/** The service has answered, and the record is not as described (§2). */
export class UnreadableRecordError extends ServiceError {
  constructor(
    facts: ServiceError['facts'],
    readonly shown: ShownRecord,
  ) {
    super(facts);
  }
}

/** For a record of a list. */
export function unreadableRecord(method: string, path: string, shown: ShownRecord): UnreadableRecordError {
  return new UnreadableRecordError(
    { kind: 'bad_answer', method, path, detail: 'a record of the list' },
    shown,
  );
}

export function toShownRecord(payload: unknown, fields: readonly string[]): ShownRecord {
  const record = (payload ?? {}) as Readonly<Record<string, unknown>>;
  return {
    svcUid: shownId(record['svc_uid']),
    merchantUid: shownId(record['merchant_uid']),
    customerUid: shownId(record['customer_uid']),
    amount: shownValue(record['amount'], NUMBER),
    currency: shownValue(record['currency'], WORD),
    status: shownValue(record['status'] ?? record['schedule_status'], WORD),
    fields: [...fields],
  };
}

function shownId(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const id = cleanIdentifier(text, LONGEST_SHOWN_ID + 1);
  return id.length > LONGEST_SHOWN_ID ? `${cleanIdentifier(id, LONGEST_SHOWN_ID - 1)}…` : id;
}

const NUMBER = /^"?[-+0-9.,eE ]{1,40}"?$/;
const WORD = /^"?\w{1,30}"?$/;

/** Text of any other form is not repeated: it may be an echo of what was sent. */
function shownValue(value: unknown, form: RegExp): string | null {
  if (value === undefined || value === null) return null;
  const json = JSON.stringify(value);
  if (!form.test(json)) return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
  return cleanText(form === WORD ? json.replaceAll('"', '') : json, json.length);
}
