// A set of statuses, written once for TypeScript, for the filters of Prisma and for SQL. It is made from a table that decides
// about every status, so that a new one does not compile before it has an entry there.

import { Prisma } from '../../generated/prisma/client';

export type StatusSet<Status extends string> = {
  /** For Prisma: `status: { in: set.list }`. */
  list: Status[];
  /** Also asked of a status of another table. */
  has(status: string): boolean;
  /** For SQL: `status in ${set.sql}`. It is a constant, so that PostgreSQL finds the partial index over the same set. */
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
