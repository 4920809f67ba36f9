// Which columns hold personal data: the feature that owns a table classifies each of its columns, in `row.ts`, or in
// `feature.ts` for a table that no route answers. The erasure statements are generated from that, and docs/09-data.md
// must agree with it. A new column does not compile until it is classified.

import { Prisma } from '../../generated/prisma/client';

/**
 * `stays`: an id, amount, date or state that does not identify a person without the rest.
 * `typed`: text that a person of the merchant has typed. It stays, because no program can tell what it says; the answer
 * to an erasure lists its row.
 * `fields`: JSON. The stores that write it keep only what is not personal.
 * `erasedTo`: personal. The value, as SQL, that an erasure replaces it with.
 */
export type Rule = 'stays' | 'typed' | 'fields' | { readonly erasedTo: 'null' | `'${string}'` };
/** The columns of one table, by the fields of its Prisma model. */
export type Columns<Row> = { readonly [Column in keyof Row]-?: Rule };
/** By table name. */
export type PersonalData = Readonly<Record<string, Readonly<Record<string, Rule>>>>;

export const TO_NULL = { erasedTo: 'null' } as const;
/** For columns that cannot be null. No member has an empty id. */
export const TO_EMPTY = { erasedTo: "''" } as const;

/** What could not be erased yet for a member, and why. */
export type Waiting = { kind: 'subscription' | 'card' | 'order'; id: string; reason: WaitReason };
export type WaitReason = (typeof WAIT_REASONS)[number];
export const WAIT_REASONS = [
  // The outcome of a charge, a refund, a card's registration or its removal is not known yet.
  'charge_pending',
  'refund_pending',
  'issuance_pending',
  'removal_pending',
  // A person must first resolve a charge or a refund.
  'charge_needs_review',
  'refund_needs_review',
  // The service holds a schedule for the order, and the schedule's card could not be removed.
  'order_scheduled',
  // The service did not answer, or it refused the removal of a card.
  'service_unavailable',
  'removal_refused',
  // The next try continues with it.
  'later',
] as const;

type Features = readonly { personalData?: PersonalData }[];

export type Classified = { table: string; column: string; rule: Rule };

/** Every column of these features, by its name in the database. */
export function classifiedColumns(features: Features): Classified[] {
  return features.flatMap(({ personalData = {} }) =>
    Object.entries(personalData).flatMap(([table, columns]) =>
      Object.entries(columns).map(([field, rule]) => ({ table, column: toColumnName(field), rule })),
    ),
  );
}

/**
 * @param tables by the file of prisma/schema
 * @param removed options: their tables have no rules any more
 * @throws if another table has none, because an erasure would leave its rows as they are
 */
export function requireRules(
  tables: Readonly<Record<string, readonly string[]>>,
  features: Features,
  removed: readonly string[],
): void {
  const ruled = new Set(features.flatMap(({ personalData = {} }) => Object.keys(personalData)));
  const unruled = Object.entries(tables).flatMap(([file, names]) =>
    removed.includes(file)
      ? []
      : names.filter((name) => !ruled.has(name)).map((name) => `${name} (prisma/schema/${file}.prisma)`),
  );
  if (unruled.length > 0)
    throw new Error(
      `No feature has a rule for each column of ${unruled.join(', ')}. Add the table to personalData of its feature.ts.`,
    );
}

/** `buyer_name = null, …`: the assignments of the `update` that erases the columns of one table. */
export function erasedColumns(features: Features, table: string): Prisma.Sql {
  const assignments = classifiedColumns(features).flatMap((each) =>
    each.table === table && typeof each.rule === 'object' ? [`${each.column} = ${each.rule.erasedTo}`] : [],
  );
  return Prisma.raw(assignments.join(', '));
}

export function toColumnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
