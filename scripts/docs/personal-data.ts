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
  const names = personal.map(nameOf);
  const wrong = [
    ...names.filter((name) => !(name in PURPOSES)),
    ...Object.keys(PURPOSES).filter((name) => !names.includes(name)),
  ];
  if (wrong.length > 0)
    throw new Error(`scripts/docs/personal-data.ts: say why it is kept, or remove: ${wrong.join(', ')}`);
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

export function impersonalColumns(): string {
  const columns = classifiedColumns(FEATURES).filter(({ rule }) => rule === 'stays');
  const tables = [...new Set(columns.map(({ table: owner }) => owner))];
  return tables
    .map((owner) => {
      const own = columns.filter((each) => each.table === owner).map(({ column }) => column);
      return `- ${code(owner)}: ${codes(own)}`;
    })
    .join('\n');
}
