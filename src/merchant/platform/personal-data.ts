// What of a member stands in the database: every column of every table, each classified once. The statements that erase a
// member are made from here, and docs/personal-data.md is held to it. A new column does not compile until it is classified.

import type * as rows from '../../generated/prisma/client';

/**
 * `stays`: an id, an amount, a date, a state: without the rest it leads to nobody.
 * `typed`: text that a person of the merchant has typed. It stays, because no program can tell what it says, and the
 * answer to an erasure names its row.
 * `fields`: JSON, of which the rules below and the stores that write it keep what is not personal.
 * `erasedTo`: personal, and what an erasure puts in its place, as SQL.
 */
type Rule = 'stays' | 'typed' | 'fields' | { erasedTo: 'null' | `'${string}'` };
type Columns<Row> = { readonly [Column in keyof Row]-?: Rule };

const TO_NULL = { erasedTo: 'null' } as const;
/** For columns that cannot be null: processes of older versions read them. No member has an empty id. */
const TO_EMPTY = { erasedTo: "''" } as const;
/** What stands in `card_last_four` once the digits are gone. */
export const NO_DIGITS = '****';

const DECISION = { settledBy: 'typed', settleNote: 'typed' } as const;
const POLLS = { polls: 'stays', notFoundPolls: 'stays', startedAt: 'stays', resolvedAt: 'stays' } as const;
const WRITTEN = { createdAt: 'stays', updatedAt: 'stays' } as const;

const BILLING_KEYS: Columns<rows.BillingKey> = {
  customerUid: 'stays',
  memberId: TO_EMPTY,
  status: 'stays',
  cardNumber: TO_NULL,
  cardName: 'stays',
  cardCode: 'stays',
  cardType: 'stays',
  pgProvider: 'stays',
  serviceUpdatedAt: 'stays',
  removingSince: 'stays',
  ...WRITTEN,
};

const ISSUANCES: Columns<rows.BillingKeyIssuance> = {
  id: 'stays',
  customerUid: 'stays',
  formNonce: 'stays',
  replacesKey: 'stays',
  status: 'stays',
  cardLastFour: { erasedTo: `'${NO_DIGITS}'` },
  // The card company's own words.
  reason: TO_NULL,
  termsVersion: 'stays',
  privacyVersion: 'stays',
  consentedAt: 'stays',
  ...POLLS,
  ...DECISION,
};

// Keyed hashes of a member id, an address and a card number, for at most a day: an erasure cannot tell whose they are.
const CARD_LIMITS: Columns<rows.CardLimit> = { key: 'stays', points: 'stays', expire: 'stays' };

const ORDERS: Columns<rows.Order> = {
  merchantUid: 'stays',
  name: 'stays',
  amount: 'stays',
  currency: 'stays',
  memberId: TO_NULL,
  cardQuota: 'stays',
  taxFree: 'stays',
  buyerName: TO_NULL,
  buyerEmail: TO_NULL,
  buyerTel: TO_NULL,
  buyerAddr: TO_NULL,
  buyerPostcode: TO_NULL,
  // The merchant's own data can hold anything.
  customData: TO_NULL,
  status: 'stays',
  version: 'stays',
  erasedAt: 'stays',
  ...WRITTEN,
};

const PAYMENTS: Columns<rows.Payment> = {
  svcUid: 'stays',
  merchantUid: 'stays',
  status: 'stays',
  amount: 'stays',
  cancelAmount: 'stays',
  currency: 'stays',
  payMethod: 'stays',
  pgProvider: 'stays',
  pgTid: 'stays',
  applyNum: 'stays',
  cardName: 'stays',
  cardNumber: TO_NULL,
  customerUid: 'stays',
  failReason: TO_NULL,
  cancelReason: 'typed',
  receiptUrl: 'stays',
  startedAt: 'stays',
  paidAt: 'stays',
  failedAt: 'stays',
  cancelledAt: 'stays',
  vbankCode: 'stays',
  vbankName: 'stays',
  // The account is of one buyer, and its holder may be the buyer.
  vbankNum: TO_NULL,
  vbankHolder: TO_NULL,
  vbankDate: 'stays',
  record: 'fields',
  counted: 'stays',
  fetchedAt: 'stays',
  wentBackAt: 'stays',
  ...WRITTEN,
};

const SUBSCRIPTIONS: Columns<rows.Subscription> = {
  subscriptionId: 'stays',
  customerUid: 'stays',
  memberId: TO_EMPTY,
  name: 'stays',
  amount: 'stays',
  currency: 'stays',
  interval: 'stays',
  firstPaymentAt: 'stays',
  status: 'stays',
  cycle: 'stays',
  attempt: 'stays',
  paymentAt: 'stays',
  version: 'stays',
  endReason: 'stays',
  checkAt: 'stays',
  claimedUntil: 'stays',
  ...WRITTEN,
};

const EVENTS: Columns<rows.Event> = {
  id: 'stays',
  stream: 'stays',
  version: 'stays',
  type: 'stays',
  data: 'fields',
  occurredAt: 'stays',
  position: 'stays',
};

const EVENT_DELIVERIES: Columns<rows.EventDelivery> = {
  eventId: 'stays',
  target: 'stays',
  stream: 'stays',
  attempts: 'stays',
  nextAttemptAt: 'stays',
  deliveredAt: 'stays',
  reason: 'stays',
};

const NOTIFICATIONS: Columns<rows.Notification> = {
  id: 'stays',
  receivedAt: 'stays',
  generation: 'stays',
  svcUid: 'stays',
  merchantUid: 'stays',
  claimedStatus: 'stays',
  // Of the service, not of a person.
  sourceAddress: 'stays',
  requestId: 'stays',
  outcome: 'stays',
  reason: 'stays',
  attempts: 'stays',
  judgedAt: 'stays',
  nextAttemptAt: 'stays',
};

const DISCREPANCIES: Columns<rows.Discrepancy> = {
  id: 'stays',
  kind: 'stays',
  svcUid: 'stays',
  merchantUid: 'stays',
  expected: 'stays',
  actual: 'stays',
  timesSeen: 'stays',
  firstSeenAt: 'stays',
  lastSeenAt: 'stays',
  resolvedAt: 'stays',
  resolution: 'stays',
  resolvedBy: 'typed',
  resolutionNote: 'typed',
};

const RECONCILIATION_POSITIONS: Columns<rows.ReconciliationPosition> = {
  list: 'stays',
  comparedTo: 'stays',
  lookedBackAt: 'stays',
};

const RECONCILIATION_RUNS: Columns<rows.ReconciliationRun> = {
  id: 'stays',
  finishedAt: 'stays',
  completeAt: 'stays',
};

const RECONCILIATION_DIFFERENCES: Columns<rows.ReconciliationDifference> = {
  svcUid: 'stays',
  merchantUid: 'stays',
  listed: 'stays',
  orderVersion: 'stays',
  outcome: 'stays',
  reason: 'stays',
  attempts: 'stays',
  firstSeenAt: 'stays',
  nextAttemptAt: 'stays',
};

const CHARGES: Columns<rows.Charge> = {
  id: 'stays',
  merchantUid: 'stays',
  kind: 'stays',
  customerUid: 'stays',
  scheduleAt: 'stays',
  status: 'stays',
  svcUid: 'stays',
  reason: TO_NULL,
  ...POLLS,
  ...DECISION,
};

const REFUNDS: Columns<rows.Refund> = {
  id: 'stays',
  svcUid: 'stays',
  discrepancyId: 'stays',
  amount: 'stays',
  cancelledBefore: 'stays',
  cancelReason: 'typed',
  status: 'stays',
  reason: TO_NULL,
  requestedBy: 'typed',
  ...POLLS,
  ...DECISION,
};

const NOTES: Columns<rows.Note> = {
  id: 'stays',
  subject: 'stays',
  subjectId: 'stays',
  writtenBy: 'typed',
  text: 'typed',
  writtenAt: 'stays',
};

const ERASURES: Columns<rows.Erasure> = {
  id: 'stays',
  memberId: TO_NULL,
  requestedAt: 'stays',
  finishedAt: 'stays',
  nextAttemptAt: 'stays',
  toCheck: 'stays',
};

const SERVICE_PAUSES: Columns<rows.ServicePause> = { line: 'stays', until: 'stays' };

/** By the names of the tables. */
export const TABLES = {
  billing_keys: BILLING_KEYS,
  billing_key_issuances: ISSUANCES,
  card_limits: CARD_LIMITS,
  orders: ORDERS,
  payments: PAYMENTS,
  subscriptions: SUBSCRIPTIONS,
  events: EVENTS,
  event_deliveries: EVENT_DELIVERIES,
  notifications: NOTIFICATIONS,
  discrepancies: DISCREPANCIES,
  reconciliation_positions: RECONCILIATION_POSITIONS,
  reconciliation_runs: RECONCILIATION_RUNS,
  reconciliation_differences: RECONCILIATION_DIFFERENCES,
  charges: CHARGES,
  refunds: REFUNDS,
  notes: NOTES,
  erasures: ERASURES,
  service_pauses: SERVICE_PAUSES,
} as const satisfies Record<string, Readonly<Record<string, Rule>>>;

export type Classified = { table: string; column: string; rule: Rule };

/** Every column by its name in the database. */
export function classifiedColumns(): Classified[] {
  return Object.entries(TABLES).flatMap(([table, columns]) =>
    Object.entries<Rule>(columns).map(([field, rule]) => ({ table, column: toColumnName(field), rule })),
  );
}

function toColumnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
