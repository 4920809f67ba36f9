// The action queue: what only a person can resolve, what it may mean and what to do about it; and items whose outcome
// the polls should have recorded by now. Each feature defines its own items (`actionQueue` of its feature.ts).

import { discrepancyId, discrepancyJson, readDiscrepancy } from '../../../core/discrepancies/routes';
import type { ActionQueue, Context, QueueItem, QueueSection } from '../../../platform/context';
import type { OperatorRecords } from '../../../platform/operator-records';
import {
  actionRoute,
  recordsOf,
  toPage,
  type ActionName,
  type DoneKey,
  type OperatorAnswer,
  type OperatorRequest,
  type OperatorRoute,
} from '../frame/page';
import type { Role } from '../frame/roles';
import { addressOf, toCells } from '../lists/list-page';
import { refundRoutes } from '../refunds/refund-form';
import { BANKS } from '../refunds/refund-input';
import { approveRefund, REFUND_REQUESTS, rejectRefund } from '../refunds/refund-requests';
import { discrepancyRefund } from '../refunds/refund-subjects';
import { ATTEMPTS, checkDiscrepancyAgain, decideAboutKey, decideAttempt, note, resolve } from './actions';
import { findNotes } from './note-store';
import { QUEUE, SEVERAL_ROUTES, severalOf } from './resolve-several';

/** Per section. The lists have all items. */
const SHOWN = 20;

export const queuesOf = ({ features }: Pick<Context, 'features'>): ActionQueue[] =>
  features.flatMap(({ actionQueue }) => actionQueue ?? []);

const DISCREPANCY = `${QUEUE}/discrepancies/:id`;

export function queueRoutes(context: Context): OperatorRoute[] {
  return [
    { method: 'get', path: QUEUE, handle: showQueue },
    { method: 'get', path: DISCREPANCY, back: () => QUEUE, handle: showDiscrepancy },
    ...refundRoutes(discrepancyRefund, {
      path: DISCREPANCY,
      back: ({ params: { id = '' } }) => `${QUEUE}/discrepancies/${encodeURIComponent(id)}`,
      page: showDiscrepancy,
      to: QUEUE,
    }),
    ...SEVERAL_ROUTES,
    action('discrepancies', 'resolve', resolve),
    action('discrepancies', 'sync', checkDiscrepancyAgain),
    action('discrepancies', 'billing-key', decideAboutKey),
    ...ATTEMPTS.map((kind) =>
      action(`${kind.name}s`, 'settle', (_, asked) => decideAttempt(context, asked, kind)),
    ),
    action(REFUND_REQUESTS, 'approve', approveRefund, 'refund'),
    action(REFUND_REQUESTS, 'reject', rejectRefund, 'refund'),
    ...queuesOf(context).flatMap(({ kind, subject }) =>
      subject === null ? [] : [action(kind, 'note', (_, asked) => note(context, asked, subject))],
    ),
  ];
}

function action(
  kind: string,
  name: ActionName,
  act: (context: Context, request: OperatorRequest) => Promise<DoneKey>,
  role: Role = 'decide',
): OperatorRoute {
  return actionRoute({
    path: `${QUEUE}/${kind}/:id/${name}`,
    role,
    action: name,
    back: () => QUEUE,
    page: kind === 'discrepancies' ? showDiscrepancy : showQueue,
    act,
  });
}

/** The data of `action-queue.eta`. */
type Section = {
  queue: ActionQueue;
  kind: string;
  group: QueueSection['group'] | null;
  /** The page that resolves several at once; null if there is none. */
  several: string | null;
  /** Whether the polls should have recorded an outcome by now; other sections wait only for a person. */
  isStuck: boolean;
  list: readonly QueueItem[];
  /** The list with the remaining items; null if all are shown. */
  more: string | null;
};

async function showQueue(context: Context): Promise<OperatorAnswer> {
  const queues = queuesOf(context);
  const [waiting, stuck] = await Promise.all([
    Promise.all(queues.map((queue) => findWaiting(context, queue))),
    Promise.all(queues.map((queue) => findStuck(context, queue))),
  ]);
  const ofLast = (isLast: boolean) =>
    waiting.flat().filter(({ group }) => (group?.isLast ?? false) === isLast);
  const sections = [...ofLast(false), ...stuck, ...ofLast(true)].filter(({ list }) => list.length > 0);
  return toPage({
    template: 'action-queue',
    title: ({ operator }) => operator.places.actionQueue,
    place: 'actionQueue',
    data: { sections, notesOf: await readNotes(context, sections), banks: BANKS },
  });
}

async function findWaiting(context: Context, queue: ActionQueue): Promise<Section[]> {
  const sections = await queue.findWaiting(context, SHOWN);
  const records = recordsOf(context).find(({ place }) => place === queue.kind);
  return sections.map(({ items, hasMore, filters, group = null }) => ({
    queue,
    kind: queue.kind,
    group,
    several: group !== null && items.length > 1 ? severalOf(group.name) : null,
    isStuck: false,
    list: records?.item ? items.map((row) => recordItem(records, row)) : items,
    more: hasMore ? addressOf(`/operator/${queue.kind}`, filters) : null,
  }));
}

/** The data of `record-item.eta`. */
function recordItem({ place, columns, item }: OperatorRecords<Context>, row: QueueItem) {
  const reason = item?.reason(row) ?? '';
  const facts = toCells(columns, row).filter(({ value }) => value !== null);
  return {
    id: row.id,
    place,
    reason,
    facts: facts.filter(({ name }) => item?.columns.includes(name)),
    next: facts.find(({ name }) => name === item?.next(reason)) ?? null,
  };
}

async function findStuck(context: Context, queue: ActionQueue): Promise<Section> {
  const { kind } = queue;
  const items = (await queue.findStuck?.(context)) ?? [];
  return {
    queue,
    kind,
    group: null,
    several: null,
    isStuck: true,
    list: items.slice(0, SHOWN),
    more: items.length > SHOWN ? `/operator/${kind}?status=unknown` : null,
  };
}

/** Shows one discrepancy, including a resolved one. */
async function showDiscrepancy(context: Context, request: OperatorRequest): Promise<OperatorAnswer> {
  const item = discrepancyJson(await readDiscrepancy(context, discrepancyId(request.params['id'])));
  const queue = { kind: 'discrepancies', subject: 'discrepancy' } as const;
  return toPage({
    template: 'discrepancy',
    title: ({ operator }) => `${operator.actionQueue.names.discrepancies} ${item.id}`,
    place: 'actionQueue',
    data: { item, notesOf: await readNotes(context, [{ queue, list: [item] }]) },
  });
}

/** Operators' notes about the rows of a page, oldest first. */
async function readNotes(
  context: Context,
  sections: readonly { queue: Pick<ActionQueue, 'kind' | 'subject'>; list: readonly QueueItem[] }[],
) {
  const subjects = sections.flatMap(({ queue: { subject }, list }) =>
    subject === null ? [] : [{ subject, ids: list.map(({ id }) => id) }],
  );
  const notes = await findNotes(context, subjects);
  const subjectOf = (kind: string) => sections.find(({ queue }) => queue.kind === kind)?.queue.subject;
  return (kind: string, id: string) =>
    notes.filter(({ subject, subjectId }) => subject === subjectOf(kind) && subjectId === id);
}
