// The whole record, stored beside the mapped columns: everything the service sent, made safe to store and show.

import { cleanIdentifier, cleanText } from './clean-text';

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

const MAX_TEXT_LENGTH = 2_000;
const MAX_NAME_LENGTH = 100;
const MAX_DEPTH = 8;
const MAX_SIZE = 64_000;
/** Prevents prototype pollution when the record is merged into another object. */
const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype']);
/** Digit strings that are not card numbers and that people need in full, to pay, search or add up. */
const UNMASKED_NAMES = new Set(
  (
    'svc_uid merchant_uid customer_uid id tx_id payment_id cancellation_id pg_tid pg_id apply_num vbank_num ' +
    'receipt_url cancel_receipt_urls amount cancel_amount total'
  ).split(' '),
);

/** The smallest number with 13 digits. */
const SHORTEST_CARD_NUMBER = 1e12;

/** A copy of at most 64,000 characters of JSON and eight levels. A field for which there is no room is left out. */
export function toRawRecord(record: object): JsonObject {
  const copy = copyObject(record, 1);
  if (JSON.stringify(copy).length <= MAX_SIZE) return copy;
  let left = MAX_SIZE;
  const kept = Object.entries(copy).filter(([name, value]) => {
    const { length } = JSON.stringify({ [name]: value });
    if (length > left) return false;
    left -= length;
    return true;
  });
  return Object.fromEntries(kept);
}

function copyObject(source: object, depth: number): JsonObject {
  const copy: JsonObject = {};
  for (const name of Object.keys(source)) {
    const safeName = cleanText(name, MAX_NAME_LENGTH);
    // Checked after cleaning: invisible characters in the name are already removed.
    if (!FORBIDDEN_NAMES.has(safeName)) copy[safeName] = copyValue((source as JsonObject)[name], name, depth);
  }
  return copy;
}

function copyValue(value: unknown, name: string, depth: number): Json {
  if (typeof value === 'string') return safeText(value, name);
  if (typeof value === 'number') return safeNumber(value, name);
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return null;
  return Array.isArray(value)
    ? value.map((item) => copyValue(item, name, depth + 1))
    : copyObject(value, depth + 1);
}

function safeText(text: string, name: string): string {
  return UNMASKED_NAMES.has(name) ? cleanIdentifier(text, MAX_TEXT_LENGTH) : cleanText(text, MAX_TEXT_LENGTH);
}

/** A card number may also be a JSON number; masked, it becomes a text. `1e999` is Infinity, which JSON cannot hold. */
function safeNumber(value: number, name: string): number | string | null {
  if (Number.isInteger(value) && Math.abs(value) < SHORTEST_CARD_NUMBER) return value;
  if (!Number.isFinite(value)) return null;
  const text = String(value);
  const masked = safeText(text, name);
  return masked === text ? value : masked;
}
