// Issuances, charges and refunds on the operators' action queue.

import type { ActionQueue, Context, QueueItem } from '../../platform/context';
import type { Page } from '../../platform/http/list';
import type { AttemptKind } from './attempt-store';

type AttemptQueue = {
  kind: string;
  subject: AttemptKind;
  /** The list of the API. */
  list: { read(context: Context, query: { needs_person: true; limit: number }): Promise<Page<QueueItem>> };
  findStuck(context: Context): Promise<readonly QueueItem[]>;
};

export function attemptQueue({ kind, subject, list, findStuck }: AttemptQueue): ActionQueue {
  return {
    kind,
    subject,
    async findWaiting(context, limit) {
      const page = await list.read(context, { needs_person: true, limit });
      return [{ items: page.list, hasMore: page.next !== null, filters: { needs_person: 'true' } }];
    },
    findStuck,
  };
}
