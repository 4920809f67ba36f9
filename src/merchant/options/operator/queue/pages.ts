// The action queue, beside one of its items: what only a person can resolve, what it may mean and what to do about it; and items
// whose outcome the polls should have recorded by now. Each feature defines its own items (`actionQueue` of its feature.ts).

import { setTimeout } from 'node:timers/promises';
import { fetchHeldMoney } from '../../../core/attempts/held-money';
import { discrepancyId, discrepancyJson, readDiscrepancy } from '../../../core/discrepancies/routes';
import type { ActionQueue, Context, QueueItem, QueueSection } from '../../../platform/context';
import { HttpError } from '../../../platform/errors';
import type { OperatorRecords } from '../../../platform/operator-records';
import { platformErrors } from '../../../platform/platform-errors';
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
import { addressOf, nameOf, toCells, type Cell } from '../lists/list-page';
import { refundRoutes } from '../refunds/refund-form';
import { BANKS } from '../refunds/refund-input';
import { approveRefund, REFUND_REQUESTS, rejectRefund } from '../refunds/refund-requests';
import { discrepancyRefund } from '../refunds/refund-subjects';
import { ATTEMPTS, checkDiscrepancyAgain, decideAboutKey, decideAttempt, note, resolve } from './actions';
import { findNotes } from './note-store';
import { QUEUE, SEVERAL_ROUTES, severalOf } from './resolve-several';
import { findSubjects, type QueueRow } from './subject-store';

/** Per section. The lists have all items. */
const SHOWN = 20;

export const queuesOf = ({ features }: Pick<Context, 'features'>): ActionQueue[] =>
  features.flatMap(({ actionQueue }) => actionQueue ?? []);

const DISCREPANCIES = 'discrepancies';
const itemPath = (kind: string, id = '') => `${QUEUE}/${kind}/${encodeURIComponent(id)}`;

export function queueRoutes(context: Context): OperatorRoute[] {
  return [
    { method: 'get', path: QUEUE, handle: (_, request) => showQueue(context, request) },
    ...refundRoutes(discrepancyRefund, {
      path: `${QUEUE}/${DISCREPANCIES}/:id`,
      back: ({ params: { id } }) => itemPath(DISCREPANCIES, id),
      page: (_, request) => showQueue(context, request, DISCREPANCIES),
      to: QUEUE,
    }),
    ...SEVERAL_ROUTES,
    action(DISCREPANCIES, 'resolve', resolve),
    action(DISCREPANCIES, 'sync', checkDiscrepancyAgain),
    action(DISCREPANCIES, 'billing-key', decideAboutKey),
    ...ATTEMPTS.map((kind) =>
      action(`${kind.name}s`, 'settle', (_, asked) => decideAttempt(context, asked, kind)),
    ),
    action(REFUND_REQUESTS, 'approve', approveRefund, 'refund'),
    action(REFUND_REQUESTS, 'reject', rejectRefund, 'refund'),
    ...queuesOf(context).flatMap(({ kind, subject }) =>
      subject === null ? [] : [action(kind, 'note', (_, asked) => note(context, asked, subject))],
    ),
    { method: 'get', path: `${QUEUE}/:kind/:id`, back: () => QUEUE, handle: showItem },
  ];
}

/** What leaves an item open. */
const STAYS: ActionName[] = ['note', 'sync'];

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
    back: ({ params: { id } }) => itemPath(kind, id),
    ...(!STAYS.includes(name) && { to: QUEUE }),
    page: (context, request) => showQueue(context, request, kind),
    act,
  });
}

/** The data of `action-queue.eta`. */
type Section = {
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

/**
 * The queue beside one of its items, by default the first one.
 * @param kind of the item that the request names
 */
async function showQueue(
  context: Context,
  { params }: OperatorRequest,
  kind: string | null = null,
): Promise<OperatorAnswer> {
  const queues = queuesOf(context);
  const [waiting, stuck] = await Promise.all([
    Promise.all(queues.map((queue) => findWaiting(context, queue))),
    Promise.all(queues.map((queue) => findStuck(context, queue))),
  ]);
  const ofLast = (isLast: boolean) =>
    waiting.flat().filter(({ group }) => (group?.isLast ?? false) === isLast);
  const sections = [...ofLast(false), ...stuck, ...ofLast(true)].filter(({ list }) => list.length > 0);
  const chosen = await chooseItem(context, sections, kind, params['id']);
  const items = sections.flatMap(({ list }) => list);
  const subjects = await findSubjects(context, chosen ? [...items, chosen.item] : items);
  const subject = chosen && subjects.get(chosen.item);
  const isUnpriced = chosen?.kind === DISCREPANCIES && subject?.amount == null;
  const shown = isUnpriced && isOpen(chosen.item) ? chosen.item : null;
  return toPage({
    template: 'action-queue',
    title: ({ operator }) =>
      chosen && kind !== null
        ? `${nameOf(operator.actionQueue.names, chosen.kind)} ${chosen.item.id}`
        : operator.places.actionQueue,
    place: 'actionQueue',
    data: {
      sections,
      itemPath,
      subjectOf: (item: QueueItem) => subjects.get(item),
      selected: chosen,
      isChosen: kind !== null && chosen !== null,
      subject,
      shown: shown && (await askAmount(context, shown)),
      notes: chosen ? await findNotesOn(context, chosen) : [],
      banks: BANKS,
    },
  });
}

/** @throws HttpError if the request names a discrepancy that does not exist */
async function chooseItem(context: Context, sections: readonly Section[], kind: string | null, id = '') {
  const [first] = sections;
  if (kind === null) return first?.list[0] ? { kind: first.kind, item: first.list[0] } : null;
  const listed = sections
    .filter((section) => section.kind === kind)
    .flatMap(({ list }) => list)
    .find((item) => item.id === id);
  if (listed) return { kind, item: listed };
  // Also one that is resolved, or that comes after those that are shown.
  if (kind !== DISCREPANCIES) return null;
  return { kind, item: discrepancyJson(await readDiscrepancy(context, discrepancyId(id))) };
}

async function showItem(context: Context, request: OperatorRequest): Promise<OperatorAnswer> {
  const { kind = '' } = request.params;
  const isKind = queuesOf(context).some((queue) => queue.kind === kind);
  if (!isKind) throw new HttpError(platformErrors.not_found);
  const answer = await showQueue(context, request, kind);
  // It was resolved meanwhile, or is not among those that are shown.
  const isShown = answer.kind === 'page' && (answer.page.data as { isChosen: boolean }).isChosen;
  return isShown ? answer : { kind: 'redirect', to: QUEUE, done: null };
}

const isOpen = ({ resolved_at: resolvedAt }: QueueRow) => !resolvedAt;

/** A page must not wait longer for the payment service. */
const ASK_MS = 2000;

/** What the service shows of a payment that is not stored; null if it does not say so in time. */
async function askAmount(context: Context, { svc_uid: svcUid }: QueueRow) {
  const asked = fetchHeldMoney(context, svcUid ?? '').catch(() => null);
  const shown = await Promise.race([asked, setTimeout(ASK_MS, null, { ref: false })]);
  return shown?.record ?? null;
}

/** Operators' notes about an item, oldest first. */
function findNotesOn(context: Context, { kind, item }: { kind: string; item: QueueItem }) {
  const subject = queuesOf(context).find((queue) => queue.kind === kind)?.subject ?? null;
  return subject === null ? [] : findNotes(context, [{ subject, ids: [item.id] }]);
}

async function findWaiting(context: Context, queue: ActionQueue): Promise<Section[]> {
  const sections = await queue.findWaiting(context, SHOWN);
  const records = recordsOf(context).find(({ place }) => place === queue.kind);
  return sections.map(({ items, hasMore, filters, group = null }) => ({
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
    ...subjectIn(facts),
    next: facts.find(({ name }) => name === item?.next(reason)) ?? null,
  };
}

/** Amount and member, as in the items of other kinds. */
function subjectIn(facts: readonly Cell[]): Pick<QueueRow, 'amount' | 'currency' | 'customer_uid'> {
  const amount = facts.find(({ kind }) => kind === 'amount');
  const key = facts.find(({ kind }) => kind === 'key');
  return {
    ...(typeof amount?.value === 'number' && { amount: amount.value, currency: amount.currency ?? null }),
    ...(typeof key?.value === 'string' && { customer_uid: key.value }),
  };
}

async function findStuck(context: Context, queue: ActionQueue): Promise<Section> {
  const { kind } = queue;
  const items = (await queue.findStuck?.(context)) ?? [];
  return {
    kind,
    group: null,
    several: null,
    isStuck: true,
    list: items.slice(0, SHOWN),
    more: items.length > SHOWN ? `/operator/${kind}?status=unknown` : null,
  };
}
