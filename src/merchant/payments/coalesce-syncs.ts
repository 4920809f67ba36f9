// A hundred copies of one notification at once are one look at the payment, and one more for those that came while it
// was under way: a fetch that has begun may already have missed what the later ones tell of.

import { setTimeout as pause } from 'node:timers/promises';
import type { SyncPayment, SyncRequest, SyncResult, WaitingNotifications } from './sync-payment';

type Waiting = { request: SyncRequest; result: Promise<SyncResult> };

/** Copies of one notification come in a burst: those that come just after a look share the next one. */
const COLLECT_MS = 100;

/** The same function, with at most one call under way and one waiting for the same payment, order and word. */
export function coalesceSyncs(
  syncPayment: SyncPayment,
  collect: () => Promise<void> = collectAWhile,
): SyncPayment {
  const running = new Map<string, Promise<void>>();
  const waiting = new Map<string, Waiting>();

  function start(key: string, request: SyncRequest): Promise<SyncResult> {
    const result = syncPayment(request);
    const ended = result.then(collect, collect).then(() => void running.delete(key));
    running.set(key, ended);
    return result;
  }

  return (request) => {
    const key = keyOf(request);
    const inFlight = running.get(key);
    if (!inFlight) return start(key, request);
    const queued = waiting.get(key);
    if (queued) {
      queued.request = { ...queued.request, notifications: together(queued.request, request) };
      return queued.result;
    }
    // What the waiting call knew before is out of date when its turn comes.
    const entry: Waiting = { request: withoutSnapshot(request), result: inFlight.then(takeTurn) };
    waiting.set(key, entry);
    return entry.result;

    function takeTurn(): Promise<SyncResult> {
      waiting.delete(key);
      return start(key, entry.request);
    }
  };
}

async function collectAWhile(): Promise<void> {
  await pause(COLLECT_MS, undefined, { ref: false });
}

function withoutSnapshot(request: SyncRequest): SyncRequest {
  const fresh = { ...request };
  delete fresh.snapshot;
  return fresh;
}

function keyOf({ generation, svcUid, merchantUid, notifications }: SyncRequest): string {
  return JSON.stringify([
    generation,
    svcUid,
    merchantUid,
    notifications?.claimedStatus,
    notifications?.sourceAddress,
  ]);
}

function together(a: SyncRequest, b: SyncRequest): WaitingNotifications | null {
  if (!a.notifications || !b.notifications) return a.notifications ?? b.notifications;
  return { ...a.notifications, ids: [...a.notifications.ids, ...b.notifications.ids] };
}
