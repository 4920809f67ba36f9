// The rows of the audit log. They are only added: a trigger in the migration refuses changes, and the retention job deletes
// them after a year or more.

import type { OperatorAction } from '../../../../generated/prisma/client';
import type { Context } from '../../../platform/context';
import type { ActionName } from '../frame/page';

export type NewAction = Pick<
  OperatorAction,
  'by' | 'sourceAddress' | 'requestId' | 'subject' | 'subjectId' | 'outcome'
> & {
  action: ActionName;
  detail: Readonly<Record<string, string | number | null>>;
};

export async function insertAction({ database, clock }: Context, action: NewAction): Promise<void> {
  await database.operatorAction.create({ data: { ...action, at: clock.now() } });
}

export type ActionFilter = {
  by?: string | undefined;
  action?: string | undefined;
  /** Both ends are inclusive. */
  from?: Date | undefined;
  to?: Date | undefined;
  after?: bigint | undefined;
};

/** The newest first. */
export async function findActions(
  { database }: Context,
  { by, action, from, to, after }: ActionFilter,
  take: number,
): Promise<OperatorAction[]> {
  return database.operatorAction.findMany({
    where: {
      ...(by !== undefined && { by }),
      ...(action !== undefined && { action }),
      at: { ...(from && { gte: from }), ...(to && { lte: to }) },
      ...(after !== undefined && { id: { lt: after } }),
    },
    orderBy: { id: 'desc' },
    take,
  });
}
