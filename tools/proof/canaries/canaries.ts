// Values that must not appear anywhere. They are unique in the repository, so every occurrence is a leak.

import { findLeaks, findShortLeaks, type Canary, type Leak } from '../../../test/support/leak-search';
import type { Rows } from '../../../test/support/rows';

/** Cards differ in their last four digits. The first six and the last four digits may be shown. */
const CARD_START = '5409-7731-4159';
let cards = 0;

export const CANARY_CARD = {
  expiry: '2038-07',
  birth: '830417',
  pwd_2digit: '86',
} as const;

const COMPANY_NUMBER = '1108141272';
/** Input of a member who misreads the field: four digits instead of two. */
export const LONG_PASSWORD = '8642-pin-canary';
export const CANARY_TEL = '010-7731-8642';

export const SECRETS = {
  API_KEY: 'canary-api-key-7Qm2xW9d',
  FORM_SECRET: 'canary-form-secret-hV4n8Zk1',
  MEMBER_SECRET: 'canary-member-secret-pR6c3Ty0',
  OPERATOR_PASSWORD: 'canary-operator-password-bN5w',
  SERVICE_KEY: 'canary-service-key-Lx93',
  SERVICE_SECRET: 'canary-service-secret-Jd81fQ',
  SERVICE_API_KEY: 'canary-service-api-key-Ue47',
  ORDER_EVENTS_SECRET: `whsec_${Buffer.from('canary-events-secret-0123456789ab').toString('base64')}`,
  WEBHOOK_SECRET: `whsec_${Buffer.from('canary-webhook-secret-0123456789').toString('base64')}`,
} as const;

/** Returns a card that was not used before. */
export function newCard() {
  cards += 1;
  return { card_number: `${CARD_START}-${String(1000 + cards)}`, ...CANARY_CARD };
}

export const CARD_CANARIES: readonly Canary[] = [
  { name: 'card number', values: [CARD_START, CARD_START.replaceAll('-', ' ')] },
  { name: 'expiry', values: [CANARY_CARD.expiry, '07 / 2038', '07/2038', '07/38'] },
  { name: 'birth', values: [CANARY_CARD.birth, '1983-04-17'] },
  { name: 'business number', values: [COMPANY_NUMBER, '110-81-41272'] },
  { name: 'password digits', values: [LONG_PASSWORD] },
];

export const SECRET_CANARIES: readonly Canary[] = [
  ...Object.entries(SECRETS).map(([name, value]) => ({ name, values: [value] })),
  { name: 'bytes of ORDER_EVENTS_SECRET', values: ['canary-events-secret-0123456789ab'] },
  { name: 'bytes of WEBHOOK_SECRET', values: ['canary-webhook-secret-0123456789'] },
];

export const TEL_CANARY: Canary = { name: 'telephone', values: [CANARY_TEL] };

/** Returns all leaks in a text, including the two password digits. */
export const searchFor = (place: string, text: string, canaries: readonly Canary[]): Leak[] => [
  ...findLeaks(place, text, canaries),
  ...findShortLeaks(place, text, 'password digits', CANARY_CARD.pwd_2digit),
];

/** Every row of every table as JSON, so that each value has its own quotes. */
export async function dumpAsJson(rows: Rows): Promise<string> {
  const tables = await rows.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const lines = await Promise.all(
    tables.map(({ name }) => rows.query<{ line: string }>(`select to_jsonb(t)::text as line from ${name} t`)),
  );
  return lines
    .flat()
    .map(({ line }) => line)
    .join('\n');
}
