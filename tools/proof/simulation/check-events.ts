// Checks that every event was delivered, in sequence for each order or subscription, and not twice at the same time; and that the
// refunds in the events add up.

import type { AllRows } from './prepared-rows';
import type { Tale } from './tale';

type StoredEvent = {
  stream: string;
  type: string;
  version: number;
  position: number | null;
  /** Events of subscriptions have none of these. */
  data: {
    status?: string;
    previous_status?: string;
    refunded_amount?: number;
    refund?: { amount: number; total: number } | null;
  };
};

type CountedPayment = { merchant_uid: string; status: string; cancel_amount: number; counted: boolean };

/** The lease of a claimed delivery. */
const LEASE_MS = 60_000;

/** Returns one sentence for each problem. */
export function checkEvents(tale: Tale, rows: AllRows): string[] {
  const { stage, delivered } = tale;
  const events = rows.of<StoredEvent>('events').toSorted((one, other) => one.version - other.version);
  const ids = delivered.map(({ event }) => event.id);
  const problems = checkPaidOnce(tale, events, rows);
  for (const { stream, version, position } of events) {
    const id = `${stream}:${version}`;
    if (position === null) problems.push(`${id} was not published`);
    else if (!ids.includes(id)) problems.push(`${id} was not delivered`);
  }
  for (const stream of new Set(events.map((event) => event.stream))) {
    const firstDelivered = [...new Set(ids)].filter((id) => id.startsWith(`${stream}:`));
    const inOrder = events
      .filter((event) => event.stream === stream)
      .map(({ version }) => `${stream}:${version}`);
    problems.push(...checkChain(events.filter((event) => event.stream === stream)));
    problems.push(...checkRefunds(stream, events, rows.of<CountedPayment>('payments')));
    if (firstDelivered.join() !== inOrder.filter((id) => firstDelivered.includes(id)).join())
      problems.push(`${stream} was delivered in the order ${firstDelivered.join()}`);
  }
  const again = delivered.filter(({ event }, index) => ids.indexOf(event.id) < index);
  stage.tally.add('event delivered again', again.length);
  // The first claim came after the event.
  const tooSoon = again.filter(({ event, atMs }) => atMs < Date.parse(event.timestamp) + LEASE_MS);
  return [...problems, ...tooSoon.map(({ event }) => `${event.id} was delivered twice within a lease`)];
}

/** A shop ships on `order.paid`, so `order.paid` is sent once for an order. After a regressed payment it may be sent again. */
function checkPaidOnce({ stage }: Tale, events: readonly StoredEvent[], rows: AllRows): string[] {
  if (stage.network.hasDistorted()) return [];
  const regressed = rows
    .of<{ merchant_uid: string; kind: string }>('discrepancies')
    .filter(({ kind }) => kind === 'status_went_back')
    .map(({ merchant_uid: merchantUid }) => merchantUid);
  const paid = events
    .filter(({ type, stream }) => type === 'order.paid' && !regressed.includes(stream))
    .map(({ stream }) => stream);
  return paid
    .filter((stream, index) => paid.indexOf(stream) < index)
    .map((stream) => `${stream} got order.paid twice`);
}

/**
 * Each change of an order starts from the status of the one before, so none was based on outdated data. A payment after a refund
 * has no event.
 */
function checkChain(events: readonly StoredEvent[]): string[] {
  return events.flatMap(({ stream, version, data }, index) => {
    const before = index === 0 ? 'open' : events[index - 1]?.data.status;
    const isPaidAgain =
      data.previous_status === 'paid' && ['cancelled', 'partially_cancelled'].includes(String(before));
    return data.previous_status === undefined || data.previous_status === before || isPaidAgain
      ? []
      : [`${stream}:${version} goes on from ${data.previous_status}, and the order was ${String(before)}`];
  });
}

/** Each event has the amount refunded since the one before, and the last one the total of the payments. */
function checkRefunds(
  stream: string,
  events: readonly StoredEvent[],
  payments: readonly CountedPayment[],
): string[] {
  const problems: string[] = [];
  let published = 0;
  for (const { version, data } of events.filter((event) => event.stream === stream)) {
    if (data.refunded_amount === undefined) continue;
    const more = data.refunded_amount - published;
    const says = data.refund ? `${data.refund.amount} of ${data.refund.total}` : 'nothing';
    if (says !== (more > 0 ? `${more} of ${data.refunded_amount}` : 'nothing'))
      problems.push(`${stream}:${version} says ${says} was given back, and it was ${more} more`);
    published = data.refunded_amount;
  }
  const shown = payments
    .filter(
      ({ merchant_uid: of, counted, status }) =>
        of === stream && counted && ['paid', 'cancelled'].includes(status),
    )
    .reduce((sum, { cancel_amount: cancelled }) => sum + cancelled, 0);
  return shown === published
    ? problems
    : [...problems, `${stream}: ${published} was published as refunded, and it was ${shown}`];
}
