// The one way in which a payment gets into the database: read what is known, ask the service (§4.4), judge, write. The
// webhook, its retries, reconciliation, charges, refunds and commands all call `syncPayment`; none of them writes a
// payment by itself.

import type { PaymentStatus } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import { ServiceError } from '../../platform/errors';
import { singleFlight } from '../../platform/single-flight';
import { applyPauses } from '../attempts/learn-pauses';
import { deliverSoon } from '../events/deliver-soon';
import type { Claim } from './claim';
import type { MismatchKind } from './discrepancy-kinds';
import { gatherEvidence } from './gather-evidence';
import { judgePayment, type Verdict } from './judge-payment';
import { findNews, reportNews } from './note-discrepancy';
import { mayFetch, PACED_GAP_MS } from './pace-fetches';
import { mayLook, networkOfVisitor } from './pace-looks';
import { markWentBack, writeVerdict, type JudgedPayment, type WriteResult } from './payment-store';
import type { Settlement } from './settlement';
import { readSnapshot, type Snapshot } from './snapshot-store';

export type SyncOutcome =
  /** It fits and is stored. */
  | 'recorded'
  /** It fits, and was stored like this before; or it is over another amount, and nothing is paid and nothing stored. */
  | 'unchanged'
  /** It could not be checked now. */
  | 'queued'
  /** It was checked and is false. */
  | MismatchKind;

export type SyncResult = {
  outcome: SyncOutcome;
  /** Why it could not be checked; null otherwise. */
  reason: string | null;
  /** It was put off and not fetched: by a pause that the service asked for, or by our own pace. Null otherwise. */
  putOffMs: number | null;
  /** The status that the service confirmed; null unless it is `recorded` or `unchanged`. */
  status: PaymentStatus | null;
};

/** What else is there where notifications have brought the claim. */
export type Notified = {
  /** Read when they were stored. */
  snapshot?: Snapshot | undefined;
  /** What the result means for their rows. */
  settle(result: SyncResult): Settlement;
};

/** Together with what was written of the notifications; null where that is still to be done. */
export type Synced = SyncResult & { settlement: Settlement | null };

/** How often a fetch is repeated at once because its order changed meanwhile, before it is left for later. */
const MAX_FETCHES = 5;

/**
 * Re-fetches a claimed payment and stores what fits, with everything that follows from it: the status of its order and
 * the event of its change, discrepancies, and open ones that it settles. Copies of a claim that come at the same time share
 * their fetches, and the settlement is that of one of them.
 * @throws DatabaseError when nothing could be written
 */
export function syncPayment(context: Context, claim: Claim, notified?: Notified): Promise<Synced> {
  return syncOnce(context, { claim, notified });
}

type Sync = { claim: Claim; notified: Notified | undefined };

const syncOnce = singleFlight(flightKey, fetchAndStore);

function flightKey({
  claim: { svcUid, merchantUid, generation = 'legacy', isNotified = false, visitor },
}: Sync) {
  // A visitor shares a fetch with its own network alone: another one may have used up its pace.
  const from = visitor ? networkOfVisitor(visitor) : isNotified;
  return `${generation} ${svcUid} ${merchantUid} ${from}`;
}

/** @param waited for another sync of the same claim: what was known before it is old */
async function fetchAndStore(context: Context, { claim, notified }: Sync, waited: boolean): Promise<Synced> {
  const { clock } = context;
  let known = waited ? undefined : notified?.snapshot;
  for (let fetches = 1; ; fetches += 1) {
    // Read before the fetch begins: if the order moves on meanwhile, the write below finds another version, nothing
    // is written and the fetch is repeated. No lock is held and no transaction is open during the call.
    const snapshot = known ?? (await readSnapshot(context, claim));
    known = undefined;
    applyPauses(context, snapshot.pauses);
    const fetchedAt = clock.now();
    if (fetches === 1 && !(await isInPace(context, claim, snapshot))) return unsettled(PACED);
    const verdict: Verdict =
      fetches > MAX_FETCHES ? OVERTAKEN : await fetchAndJudge(context, claim, snapshot);
    if (verdict.outcome === 'needs_confirmation') {
      await markWentBack(context, verdict.svcUid);
      return unsettled(WENT_BACK);
    }
    const { order } = snapshot;
    const settlement = notified?.settle(toResult(verdict)) ?? null;
    const judged = { claim, verdict, order, fetchedAt, now: clock.now(), settlement };
    if (changesNothing(judged, snapshot)) return unsettled(verdict);
    const noted = notedUnder(judged);
    const news = await findNews(context, noted, verdict.discrepancies);
    const result = await writeWhenFree(context, judged);
    switch (result) {
      case 'written':
        reportNews(context, noted, news);
        if (verdict.outcome === 'recorded' && verdict.event !== null) deliverSoon(context);
        return { ...toResult(verdict), settlement };
      case 'locked':
        return unsettled(LOCKED);
      case 'overtaken':
      // What is known is read again.
    }
  }
}

/** Whoever can invent ids makes us call the service at a set rate. */
async function isInPace(context: Context, claim: Claim, snapshot: Snapshot): Promise<boolean> {
  if (claim.isNotified) return mayFetch(context, claim, snapshot);
  return claim.visitor === undefined || mayLook(context, claim, claim.visitor);
}

/**
 * What `syncPayment` would find now. Nothing is written and nobody is told. Its fetch is not shared with others.
 * @throws DatabaseError
 */
export async function previewSync(context: Context, claim: Claim): Promise<SyncResult> {
  const snapshot = await readSnapshot(context, claim);
  applyPauses(context, snapshot.pauses);
  const verdict = await fetchAndJudge(context, claim, snapshot);
  return toResult(verdict.outcome === 'needs_confirmation' ? WENT_BACK : verdict);
}

/**
 * Another process holds the lock on an order for some milliseconds while it writes. One that is held for longer is not
 * waited for: no connection is held meanwhile, and the verdict is reached again later.
 */
async function writeWhenFree(context: Context, judged: JudgedPayment): Promise<WriteResult> {
  for (const pauseMs of PAUSES_FOR_LOCK_MS) {
    const result = await writeVerdict(context, judged);
    if (result !== 'locked') return result;
    await context.clock.wait(pauseMs);
  }
  return writeVerdict(context, judged);
}
const PAUSES_FOR_LOCK_MS = [20, 50, 100, 200];

async function fetchAndJudge(context: Context, claim: Claim, snapshot: Snapshot): Promise<Verdict> {
  try {
    return judgePayment(await gatherEvidence(context, claim, snapshot));
  } catch (error) {
    if (error instanceof ServiceError) return queuedBy(error);
    throw error;
  }
}

/** A pause that the service asks for says when to ask again. */
function queuedBy({ facts: { kind, retryAfterSeconds } }: ServiceError): Verdict {
  const isPause = kind === 'rate_limited' && retryAfterSeconds !== undefined;
  const putOff = isPause ? { putOffMs: retryAfterSeconds * 1000 } : {};
  return { outcome: 'queued', reason: kind, discrepancies: [], ...putOff };
}

type Queued = Extract<Verdict, { outcome: 'queued' }>;
const PACED: Queued = { outcome: 'queued', reason: 'paced', discrepancies: [], putOffMs: PACED_GAP_MS };
/** A copy of the service may lag: the stored payment stays as it is until a later sync shows the same. */
const WENT_BACK: Queued = { outcome: 'queued', reason: 'went_back', discrepancies: [] };
const OVERTAKEN: Queued = { outcome: 'queued', reason: 'overtaken', discrepancies: [] };
const LOCKED: Queued = { outcome: 'queued', reason: 'locked', discrepancies: [] };

function changesNothing({ claim, verdict }: JudgedPayment, { hasOpenDoubt }: Snapshot): boolean {
  if (claim.visitor && isContradicted(verdict.outcome)) return true;
  if (verdict.outcome === 'unchanged') return !hasOpenDoubt;
  return verdict.outcome === 'queued' && verdict.discrepancies.length === 0;
}

/**
 * Whether there is no payment as it was claimed. Where only a visitor has claimed it, that is worth no discrepancy: anybody
 * can make up as many as they like. A payment of the claimed order over another amount is there and is noted.
 */
function isContradicted(outcome: Verdict['outcome']): boolean {
  return outcome === 'unknown_payment' || outcome === 'order_mismatch' || outcome === 'unknown_order';
}

/** Discrepancies of a payment that fits carry the svc_uid of its record. */
function notedUnder({ claim, verdict }: JudgedPayment): Claim {
  const { svcUid } = verdict.outcome === 'recorded' ? verdict.payment.record : claim;
  return { svcUid, merchantUid: claim.merchantUid };
}

function unsettled(verdict: JudgedPayment['verdict']): Synced {
  return { ...toResult(verdict), settlement: null };
}

function toResult(verdict: JudgedPayment['verdict']): SyncResult {
  return {
    outcome: verdict.outcome,
    reason: verdict.outcome === 'queued' ? verdict.reason : null,
    putOffMs: (verdict.outcome === 'queued' && verdict.putOffMs) || null,
    status: 'payment' in verdict ? verdict.payment.status : null,
  };
}

/** Whether a sync has found the payment that its claim names, for the order that it names. */
export function fits(outcome: SyncOutcome): outcome is 'recorded' | 'unchanged' {
  return outcome === 'recorded' || outcome === 'unchanged';
}
