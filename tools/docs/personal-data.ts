// The columns of the database by the personal data in them. The features classify them; this file gives purpose and retention.

import { FEATURES } from '../../src/merchant/features';
import { classifiedColumns, type Classified } from '../../src/merchant/platform/personal-data';
import { code, codes, table } from './markdown';

const KEPT = '`KEEP_NOTIFICATIONS_DAYS`';
const AUDIT_KEPT = `${KEPT}, and at least a year`;
const MEMBER = 'your id of the member';
const DIGITS = 'at most the first six and the last four digits';
const COMPANY_WORDS = 'the card company’s message';

/** Description, purpose and retention of each column. */
const PURPOSES: Readonly<Record<string, readonly [what: string, why: string, howLong: string]>> = {
  'orders.member_id': [MEMBER, 'only cards of this member may pay', ''],
  'orders.buyer_name': ['the buyer', 'sent with the payment, for its receipt', ''],
  'orders.buyer_email': ['the buyer', 'the same', ''],
  'orders.buyer_tel': ['the buyer', 'the same', ''],
  'orders.buyer_addr': ['the buyer', 'the same', ''],
  'orders.buyer_postcode': ['the buyer', 'the same', ''],
  'orders.custom_data': ['your own data', 'sent with the payment', ''],
  'payments.card_number': [DIGITS, 'to answer questions about the payment', ''],
  'payments.vbank_num': ['virtual account of one buyer', 'shown to the buyer for the deposit', ''],
  'payments.vbank_holder': ['its holder', 'the same', ''],
  'payments.fail_reason': [COMPANY_WORDS, 'to explain a decline', ''],
  'payments.record': [
    'the service’s record, with the buyer',
    'evidence, and comparison with later fetches',
    '',
  ],
  'charges.reason': ['the service’s message, card numbers masked', 'to explain a failure', ''],
  'refunds.reason': ['the same', 'the same', ''],
  'events.data': [
    'the event for your shop, with `member_id`; the newest of a card has its masked number',
    'delivery, `GET /api/events`',
    `${KEPT} after delivery`,
  ],
  'subscriptions.member_id': [MEMBER, 'only cards of this member may pay', ''],
  'subscriptions.buyer_name': ['the buyer', 'receipts at the service', ''],
  'subscriptions.buyer_email': ['the buyer', 'the same', ''],
  'subscriptions.buyer_tel': ['the buyer', 'the same', ''],
  'subscriptions.buyer_addr': ['the buyer', 'the same', ''],
  'subscriptions.buyer_postcode': ['the buyer', 'the same', ''],
  'subscriptions.custom_data': ['your own data', 'sent with each payment', ''],
  'billing_keys.member_id': [MEMBER, 'whose card it is', ''],
  'billing_keys.card_number': [DIGITS, 'to show and recognise the card', 'until the card is removed'],
  'billing_key_issuances.card_last_four': [
    'last four digits of the card that was sent',
    'to recognise the card at the service',
    `until the card is removed; of a declined card ${KEPT}`,
  ],
  'billing_key_issuances.reason': [COMPANY_WORDS, 'to explain a decline', `of a declined card ${KEPT}`],
  'operator_actions.detail': ['ids, amounts and decisions of an operator’s action', 'audit', AUDIT_KEPT],
  'card_links.member_id': [MEMBER, 'whom the link signs in', 'until the link is used, at most ten minutes'],
  'card_links.return_url': ['where the browser is sent afterwards', 'the same', 'the same'],
  'billing_key_requests.member_id': [MEMBER, 'who may issue the key', '90 days'],
  'billing_key_requests.return_url': ['where the browser is sent afterwards', 'the same', 'the same'],
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
    throw new Error(`tools/docs/personal-data.ts: say why it is kept: ${wrong.join(', ')}`);
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

/** Description and retention of the rows of each table. */
const TABLES: Readonly<Record<string, readonly [what: string, howLong: string]>> = {
  orders: ['order with the expected amount', ''],
  payments: ['payment as the service shows it', ''],
  billing_keys: ['billing key of a member', ''],
  billing_key_issuances: ['attempt to issue a key, with the consent', ''],
  card_limits: ['counts of attempts and visits; keyed hashes', 'at most a day'],
  billing_key_requests: ['key that a member may issue in the payment window', '90 days'],
  card_links: ['one-time address that signs a member in', 'until it is used, at most fifteen minutes'],
  charges: ['attempt to take money', ''],
  schedule_revocations: ['schedule of a finished order', 'until it is revoked'],
  refunds: ['attempt to return money', ''],
  refund_requests: ['refund that waits for a second operator, and the decision', ''],
  notes: ['note of an operator', 'of a discrepancy: with it'],
  operators: ['account of an operator; passwords and codes hashed, second factor encrypted', ''],
  operator_changes: ['who has changed whose account', 'the last time of each pair'],
  operator_sessions: [
    'session of an operator; hash of its token',
    'at most twelve hours, then until the next sign-in',
  ],
  operator_actions: ['action of an operator, or a sign-in', AUDIT_KEPT],
  subscriptions: ['plan that renews', ''],
  notices: ['which open cases were told to NOTICE_URL', 'overwritten'],
  notifications: ['notification (inbox)', `${KEPT} once resolved`],
  discrepancies: ['discrepancy', `${KEPT} once resolved`],
  events: ['event for the shop (outbox)', `${KEPT} once delivered`],
  event_deliveries: ['delivery of an event to a target', 'with its event'],
  reconciliation_runs: ['progress of reconciliation', 'overwritten'],
  erasures: ['request for erasure', ''],
  api_keys: ['API key of a system of yours; only its hash', ''],
  settlements: ['fee and payout of a movement of the ledger', ''],
  settlement_problems: ['problem of a settlement file', ''],
  service_pauses: ['pause that the service requested', 'overwritten'],
};

export function keptTables(): string {
  const names = [...new Set(classifiedColumns(FEATURES).map(({ table: owner }) => owner))];
  const wrong = names.filter((name) => !(name in TABLES));
  if (wrong.length > 0)
    throw new Error(`tools/docs/personal-data.ts: say what a row is: ${wrong.join(', ')}`);
  return table(
    ['Table', 'A row', 'How long'],
    names.map((name) => [code(name), ...(TABLES[name] ?? [])]),
  );
}

/** Every column that can hold card data. */
export function cardColumns(): string {
  const ofCards = classifiedColumns(FEATURES).filter(
    (each) =>
      /^(card_(?!quota)|record$)/.test(each.column) ||
      ['card_limits.key', 'events.data'].includes(nameOf(each)),
  );
  return codes(ofCards.map(nameOf));
}
