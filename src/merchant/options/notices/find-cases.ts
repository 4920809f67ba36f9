// The cases that wait for a person, by kind: the sections of the operators' action queue, with their words.

import type { ActionQueue, Context, QueueItem } from '../../platform/context';
import { queuesOf } from '../operator/queue/pages';
import { QUEUE } from '../operator/queue/resolve-several';
import { textsWith } from '../operator/texts';

type Lang = 'ko' | 'en';

export type Cases = {
  /** Such as `charges`, `charges-stuck` or `amount_mismatch`. */
  kind: string;
  ids: readonly string[];
  /** There are more than were read. */
  hasMore: boolean;
  name: Readonly<Record<Lang, string>>;
  /** The path of the page with a new case; of several, that of the section. */
  path: (newIds: readonly string[]) => string;
};

/** More than a storm brings before somebody looks. Beyond it a message has no exact count. */
export const MOST_READ = 10_000;

/** @throws DatabaseError */
export async function findCases(context: Context): Promise<Cases[]> {
  const texts: Record<Lang, { operator: Words }> = textsWith(context.features, []);
  const found: Cases[] = [];
  // One after the other, so that the job leaves connections to everything else.
  for (const queue of queuesOf(context)) found.push(...(await casesOf(context, queue, texts)));
  return found;
}

type Names = Readonly<Record<string, string>>;
type Words = { actionQueue: { names: Names; stuckNames: Names }; places: Names; statuses: Names };

async function casesOf(
  context: Context,
  queue: ActionQueue,
  texts: Record<Lang, { operator: Words }>,
): Promise<Cases[]> {
  const { kind } = queue;
  const sections = await queue.findWaiting(context, MOST_READ);
  const stuck = (await queue.findStuck?.(context)) ?? [];
  const nameOf = (of: (words: Words) => string | undefined) => ({
    ko: of(texts.ko.operator) ?? kind,
    en: of(texts.en.operator) ?? kind,
  });
  const queueName = ({ actionQueue, places }: Words) => actionQueue.names[kind] ?? places[kind] ?? kind;
  const waiting = sections.map(({ items, hasMore, group }): Cases => {
    const section = group?.name ?? kind;
    return {
      kind: section,
      ids: idsOf(items),
      hasMore,
      name: nameOf((words) =>
        group ? `${queueName(words)} (${words.statuses[section]})` : queueName(words),
      ),
      // Only a discrepancy has a page of its own with a number as its id; the others are shown in the queue.
      path: (newIds) =>
        group && newIds.length === 1 ? `${QUEUE}/${kind}/${newIds[0]}` : `${QUEUE}#of-${section}`,
    };
  });
  const unresolved: Cases = {
    kind: `${kind}-stuck`,
    ids: idsOf(stuck),
    hasMore: false,
    name: nameOf(({ actionQueue }) => actionQueue.stuckNames[kind]),
    path: () => `${QUEUE}#of-${kind}-stuck`,
  };
  return [...waiting, unresolved];
}

const idsOf = (items: readonly QueueItem[]) => items.map(({ id }) => id);
