// What the request log keeps of a request's fields and of an answer: no card, no credential, no account. The console shows
// it to the developer, in memory only.

/** By name, wherever it stands: `card[number]` is refused as well as `card_number`. */
const SECRET_NAMES = /card|expir|birth|pwd|pass|secret|token|api_?key|svc_key|cvc|account/i;
/** Names that only look like one. */
const HARMLESS_NAMES = ['card_quota', 'card_name', 'card_code', 'card_type'];
const REMOVED = '(removed)';
const MAX_LENGTH = 4_000;

/** A masked number, as the service itself shows it, such as 5409-13**-****-9012. */
const isMasked = (value: unknown): boolean => typeof value === 'string' && value.includes('**');

/** As JSON text, shortened. Null for a body without fields. */
export function keptText(body: unknown): string | null {
  if (body === undefined || (isObject(body) && Object.keys(body).length === 0)) return null;
  const text = JSON.stringify(kept(body), null, 2);
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)} …`;
}

/** The fields of a query, for an address. */
export function keptQuery(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).map(([name, value]) => {
    const shown = kept({ [name]: value }) as Record<string, unknown>;
    return Object.entries(shown).map(
      ([each, text]) => `${each}=${typeof text === 'string' ? text : JSON.stringify(text)}`,
    );
  });
  return pairs.length === 0 ? '' : `?${pairs.flat().join('&')}`;
}

function kept(value: unknown): unknown {
  if (typeof value === 'string') return maskCards(value);
  if (typeof value === 'number') return isCardLike(value) ? REMOVED : value;
  if (Array.isArray(value)) return value.map(kept);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      maskCards(name),
      isSecret(name, each) ? REMOVED : kept(each),
    ]),
  );
}

const isSecret = (name: string, value: unknown): boolean =>
  SECRET_NAMES.test(name) && !HARMLESS_NAMES.includes(name) && value !== null && !isMasked(value);

/**
 * A card number in a field of another name. Ids keep their digits, which mask-digits.ts would shorten: a payment id has
 * twelve, and an order id may end with a time and a number.
 */
const maskCards = (text: string): string =>
  text.replace(/\d{13,19}|\d{4}(?:[ ._+-]\d{4}){2}[ ._+-]\d{1,7}/g, (digits) => `${digits.slice(0, 4)}****`);

const isCardLike = (value: number): boolean => Math.abs(value) >= 1e12;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
