// The columns of the database by what they hold of a person. The features classify them; this file says why they are kept.

import { FEATURES } from '../../src/merchant/features';
import { classifiedColumns, type Classified } from '../../src/merchant/platform/personal-data';
import { code, codes, table } from './markdown';

const KEPT = '`KEEP_NOTIFICATIONS_DAYS`';
const MEMBER = 'your id of the member';
const DIGITS = 'at most the first six and the last four digits';
const COMPANY_WORDS = 'the card company’s own words';

/** What it is, why it is kept, and how long. */
const PURPOSES: Readonly<Record<string, readonly [what: string, why: string, howLong: string]>> = {
  'orders.member_id': [MEMBER, 'only cards of this member may pay', ''],
  'orders.buyer_name': ['the buyer', 'sent with the payment, for its receipt', ''],
  'orders.buyer_email': ['the buyer', 'the same', ''],
  'orders.buyer_tel': ['the buyer', 'the same', ''],
  'orders.buyer_addr': ['the buyer', 'the same', ''],
  'orders.buyer_postcode': ['the buyer', 'the same', ''],
  'orders.custom_data': ['your own data', 'sent with the payment', ''],
  'payments.card_number': [DIGITS, 'to answer for the payment', ''],
  'payments.vbank_num': ['virtual account of one buyer', 'the buyer has to know where to pay', ''],
  'payments.vbank_holder': ['its holder', 'the same', ''],
  'payments.fail_reason': [COMPANY_WORDS, 'to explain a decline', ''],
  'payments.record': [
    'what the service shows, with the buyer',
    'proof of what was fetched, and comparison',
    '',
  ],
  'charges.reason': ['the service’s words, card numbers masked', 'to explain what was not done', ''],
  'refunds.reason': ['the same', 'the same', ''],
  'events.data': [
    'what your shop was told, with `member_id`',
    'delivery, `GET /api/events`',
    `${KEPT} after delivery`,
  ],
  'subscriptions.member_id': [MEMBER, 'only cards of this member may pay', ''],
  'billing_keys.member_id': [MEMBER, 'whose card it is', ''],
  'billing_keys.card_number': [DIGITS, 'to show and recognise the card', 'until the card is removed'],
  'billing_key_issuances.card_last_four': [
    'last four digits of the card that was sent',
    'to recognise the card at the service',
    `until the card is removed; of a declined card ${KEPT}`,
  ],
  'billing_key_issuances.reason': [COMPANY_WORDS, 'to explain a decline', `of a declined card ${KEPT}`],
  'erasures.member_id': [
    'your id of the member being erased',
    'to finish the erasure',
    'until it is finished',
  ],
};

const nameOf = ({ table: owner, column }: Classified) => `${owner}.${column}`;
const isPersonal = ({ rule }: Classified) => rule === 'fields' || typeof rule === 'object';

export function personalColumns(): string {
  const personal = classifiedColumns(FEATURES).filter(isPersonal);
  const wrong = personal.map(nameOf).filter((name) => !(name in PURPOSES));
  if (wrong.length > 0)
    throw new Error(`scripts/docs/personal-data.ts: say why it is kept: ${wrong.join(', ')}`);
  return table(
    ['Column', 'What it is', 'Why it is kept', 'How long', 'After erasure'],
    personal.map((each) => [code(nameOf(each)), ...(PURPOSES[nameOf(each)] ?? []), erasedTo(each)]),
  );
}

function erasedTo({ rule }: Classified): string {
  if (typeof rule !== 'object') return 'the fields that are not personal';
  return rule.erasedTo === "''" ? 'empty' : rule.erasedTo.replaceAll("'", '`');
}

export function typedColumns(): string {
  return codes(
    classifiedColumns(FEATURES)
      .filter(({ rule }) => rule === 'typed')
      .map(nameOf),
  );
}

/** What a row is, and how long it is kept. */
const TABLES: Readonly<Record<string, readonly [what: string, howLong: string]>> = {
  orders: ['what you expect to be paid', ''],
  payments: ['what the service says of a payment', ''],
  billing_keys: ['which member holds which key', ''],
  billing_key_issuances: ['attempt to make a key, with the consent', ''],
  card_limits: ['counts of attempts and visits; keyed hashes', 'at most a day'],
  charges: ['attempt to take money', ''],
  refunds: ['attempt to return money', ''],
  notes: ['note of an operator', 'of a discrepancy: with it'],
  subscriptions: ['plan that renews', ''],
  notifications: ['the inbox', `${KEPT} once settled`],
  discrepancies: ['what did not fit', `${KEPT} once settled`],
  events: ['the outbox', `${KEPT} once delivered`],
  event_deliveries: ['to whom an event was delivered', 'with its event'],
  reconciliation_positions: ['how far the lists were compared', 'overwritten'],
  reconciliation_runs: ['when they were compared', 'overwritten'],
  reconciliation_differences: ['what a comparison has to repair', 'until repaired'],
  erasures: ['erasure that was asked for', ''],
  service_pauses: ['how long the service asked us to wait', 'overwritten'],
};

export function keptTables(): string {
  const columns = classifiedColumns(FEATURES);
  const names = [...new Set(columns.map(({ table: owner }) => owner))];
  const wrong = names.filter((name) => !(name in TABLES));
  if (wrong.length > 0)
    throw new Error(`scripts/docs/personal-data.ts: say what a row is: ${wrong.join(', ')}`);
  return table(
    ['Table', 'A row', 'How long', 'Columns that are not personal'],
    names.map((name) => {
      const stay = columns.filter(({ table: owner, rule }) => owner === name && rule === 'stays');
      return [code(name), ...(TABLES[name] ?? []), codes(stay.map(({ column }) => column))];
    }),
  );
}

/** Every column that can hold something of a card. */
export function cardColumns(): string {
  const ofCards = classifiedColumns(FEATURES).filter(
    (each) => /^(card_(?!quota)|record$)/.test(each.column) || nameOf(each) === 'card_limits.key',
  );
  return codes(ofCards.map(nameOf));
}
