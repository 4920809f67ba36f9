// A set of statuses, defined once for TypeScript, Prisma filters and SQL. It is made from a table with an entry for
// every status, so that a new status does not compile without one.

import { Prisma } from '../../generated/prisma/client';

export type StatusSet<Status extends string> = {
  /** For Prisma: `status: { in: set.list }`. */
  list: Status[];
  /** Also accepts a status of another table. */
  has(status: string): boolean;
  /** For SQL: `status in ${set.sql}`. It is a constant, so that PostgreSQL uses the partial index over the same set. */
  sql: Prisma.Sql;
};

/** @param statuses the enum that Prisma generates */
export function statusSet<Status extends string>(
  statuses: Readonly<Record<Status, Status>>,
  isIn: (status: Status) => boolean,
): StatusSet<Status> {
  const list = Object.values<Status>(statuses).filter(isIn);
  const names = new Set<string>(list);
  return {
    list,
    has: (status) => names.has(status),
    sql: Prisma.raw(`(${list.map((status) => `'${status}'`).join(', ')})`),
  };
}
