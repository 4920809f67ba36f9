// What of a member stands in the database: every column of every table is classified once, by the feature that owns the table
// (`feature.ts`). The statements that erase a member are made from that, and docs/09-data.md is held to it. A new
// column does not compile until it is classified.

import { Prisma } from '../../generated/prisma/client';

/**
 * `stays`: an id, an amount, a date, a state: without the rest it does not identify a person.
 * `typed`: text that a person of the merchant has typed. It stays, because no program can tell what it says, and the
 * answer to an erasure names its row.
 * `fields`: JSON, of which the stores that write it keep what is not personal.
 * `erasedTo`: personal, and what an erasure puts in its place, as SQL.
 */
export type Rule = 'stays' | 'typed' | 'fields' | { readonly erasedTo: 'null' | `'${string}'` };
/** Of one table, by the fields of its Prisma model. */
export type Columns<Row> = { readonly [Column in keyof Row]-?: Rule };
/** By the names of the tables. */
export type PersonalData = Readonly<Record<string, Readonly<Record<string, Rule>>>>;

export const TO_NULL = { erasedTo: 'null' } as const;
/** For columns that cannot be null. No member has an empty id. */
export const TO_EMPTY = { erasedTo: "''" } as const;

// Columns that several tables have.
export const DECISION = { settledBy: 'typed', settleNote: 'typed' } as const;
export const POLLS = {
  polls: 'stays',
  notFoundPolls: 'stays',
  startedAt: 'stays',
  resolvedAt: 'stays',
} as const;
export const WRITTEN = { createdAt: 'stays', updatedAt: 'stays' } as const;

/** What of a member could not be erased yet, and why. */
export type Waiting = { kind: 'subscription' | 'card' | 'order'; id: string; reason: WaitReason };
export type WaitReason = (typeof WAIT_REASONS)[number];
export const WAIT_REASONS = [
  // The outcome of a charge, a refund, a card's registration or its removal is not known yet.
  'charge_pending',
  'refund_pending',
  'issuance_pending',
  'removal_pending',
  // A person has to decide about a charge or a refund first.
  'charge_needs_review',
  'refund_needs_review',
  // The service holds a schedule for the order, whose card could not be removed.
  'order_scheduled',
  // The service could not be asked, or it has refused the removal of a card.
  'service_unavailable',
  'removal_refused',
  // Its turn comes with the next try.
  'later',
] as const;

type Features = readonly { personalData?: PersonalData }[];

export type Classified = { table: string; column: string; rule: Rule };

/** Every column of these features by its name in the database. */
export function classifiedColumns(features: Features): Classified[] {
  return features.flatMap(({ personalData = {} }) =>
    Object.entries(personalData).flatMap(([table, columns]) =>
      Object.entries(columns).map(([field, rule]) => ({ table, column: toColumnName(field), rule })),
    ),
  );
}

/** `buyer_name = null, …`: the rest of an `update … set` that erases the columns of one table. */
export function erasedColumns(features: Features, table: string): Prisma.Sql {
  const assignments = classifiedColumns(features).flatMap((each) =>
    each.table === table && typeof each.rule === 'object' ? [`${each.column} = ${each.rule.erasedTo}`] : [],
  );
  return Prisma.raw(assignments.join(', '));
}

function toColumnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
