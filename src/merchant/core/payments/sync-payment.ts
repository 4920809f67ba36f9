// The one way in which a payment gets into the database: read what is known, ask the service (§4.4), judge, write. The
// webhook, its retries, reconciliation, charges, refunds and commands all call `syncPayment`; none of them writes a
// payment by itself.

import type { PaymentStatus } from '../../../generated/prisma/client';
import type { PaymentRecord } from '../../payment-service/records/payment-record';
import type { Context } from '../../platform/context';
import { ServiceError } from '../../platform/errors';
import { deliverSoon } from '../events/save-events';
import type { MismatchKind } from './discrepancy-kinds';
import type { Claim } from './fetch-payment';
import { gatherEvidence } from './gather-evidence';
import { judgePayment, type Verdict } from './judge-payment';
import { findNews, reportNews } from './note-discrepancy';
import { findRefundBehind, markWentBack, readSnapshot, type Snapshot } from './payment-store';
import {
  notedUnder,
  writeVerdict,
  type AlsoWrite,
  type JudgedPayment,
  type WriteResult,
} from './verdict-store';

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

type SyncOptions<Row> = {
  /** What was known of the claim a moment ago; it is read where this is absent. */
  known?: Snapshot | undefined;
  /** Asked before the fetch: for how many milliseconds it is put off; null where it may be made now. */
  pace?: (snapshot: Snapshot) => number | null | Promise<number | null>;
  /** What the caller wants written in the transaction of the verdict. */
  alsoWrite?: { write: AlsoWrite<Row>['write']; rowFor: (result: SyncResult) => Row };
};

/** `isWritten`: whether the caller's row was written. There may be no transaction, as where nothing has changed. */
type Synced = SyncResult & { isWritten: boolean };

/** How often a fetch is repeated at once because its order changed meanwhile, before it is left for later. */
const MAX_FETCHES = 5;

/**
 * Re-fetches a claimed payment and stores what fits, with everything that follows from it: the status of its order and
 * the event of its change, discrepancies, and open ones that it resolves.
 * @throws DatabaseError when nothing could be written
 */
export async function syncPayment<Row>(
  context: Context,
  claim: Claim,
  { known, pace, alsoWrite }: SyncOptions<Row> = {},
): Promise<Synced> {
  const { clock } = context;
  // Read before the fetch begins: if the order moves on meanwhile, the write below finds another version, nothing is
  // written and the fetch is repeated. No lock is held and no transaction is open during the call.
  let snapshot = known ?? (await readSnapshot(context, claim));
  const putOffMs = pace ? await pace(snapshot) : null;
  if (putOffMs !== null) return unwritten({ ...PACED, putOffMs });
  for (let fetches = 1; ; fetches += 1) {
    context.service.applyPauses(snapshot.pauses);
    const fetchedAt = clock.now();
    const verdict: Verdict =
      fetches > MAX_FETCHES ? OVERTAKEN : await fetchAndJudge(context, claim, snapshot);
    if (verdict.outcome === 'needs_confirmation') {
      await markWentBack(context, verdict.svcUid);
      return unwritten(WENT_BACK);
    }
    if (changesNothing(claim, verdict, snapshot)) return unwritten(verdict);
    const result = toResult(verdict);
    const judged: JudgedPayment = {
      claim,
      verdict,
      order: snapshot.order,
      fetchedAt,
      refundId: await refundBehind(context, verdict),
      alsoWrite: alsoWrite ? { write: alsoWrite.write, row: alsoWrite.rowFor(result) } : null,
    };
    const news = await findNews(context, notedUnder(judged), verdict.discrepancies);
    switch (await writeWhenFree(context, judged)) {
      case 'written':
        reportNews(context, notedUnder(judged), news);
        if (verdict.outcome === 'recorded' && verdict.event !== null) deliverSoon(context);
        return { ...result, isWritten: alsoWrite !== undefined };
      case 'locked':
        return unwritten(LOCKED);
      case 'overtaken':
        snapshot = await readSnapshot(context, claim);
    }
  }
}

async function refundBehind(context: Context, verdict: Verdict): Promise<bigint | null> {
  if (verdict.outcome !== 'recorded') return null;
  const { payment, refunded } = verdict;
  return findRefundBehind(context, payment.record, refunded.now - refunded.before);
}

/**
 * What `syncPayment` would find now. Nothing is written and nobody is told. Its fetch is not shared with others.
 * @throws DatabaseError
 */
export async function previewSync(context: Context, claim: Claim): Promise<SyncResult> {
  const snapshot = await readSnapshot(context, claim);
  context.service.applyPauses(snapshot.pauses);
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
const PACED: Queued = { outcome: 'queued', reason: 'paced', discrepancies: [] };
/** A copy of the service may lag: the stored payment stays as it is until a later sync shows the same. */
const WENT_BACK: Queued = { outcome: 'queued', reason: 'went_back', discrepancies: [] };
const OVERTAKEN: Queued = { outcome: 'queued', reason: 'overtaken', discrepancies: [] };
const LOCKED: Queued = { outcome: 'queued', reason: 'locked', discrepancies: [] };

function changesNothing(
  { isVisitors }: Claim,
  { outcome, discrepancies }: JudgedPayment['verdict'],
  { hasOpenDoubt }: Snapshot,
): boolean {
  if (isVisitors && isContradicted(outcome)) return true;
  if (outcome === 'unchanged') return !hasOpenDoubt;
  return outcome === 'queued' && discrepancies.length === 0;
}

/**
 * Whether there is no payment as it was claimed. Where only a visitor has claimed it, that is worth no discrepancy: anybody
 * can make up as many as they like. A payment of the claimed order over another amount is there and is noted.
 */
function isContradicted(outcome: Verdict['outcome']): boolean {
  return outcome === 'unknown_payment' || outcome === 'order_mismatch' || outcome === 'unknown_order';
}

function unwritten(verdict: JudgedPayment['verdict']): Synced {
  return { ...toResult(verdict), isWritten: false };
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

type SyncedPayment = { record: PaymentRecord; outcome: SyncOutcome };

/**
 * Every payment that the service shows for one order, each synced. Whoever is about to take money for an order, or has lost the
 * answer to a charge, asks this: a payment whose notification never came is stored on the way.
 * @param line `operations` where money is to be taken next: the question then goes out with the calls that move money,
 * also in a pause that the service has asked for
 * @throws ServiceError where the service could not be asked, DatabaseError
 */
export async function syncOrder(
  context: Context,
  merchantUid: string,
  line?: 'operations',
): Promise<SyncedPayment[]> {
  const synced: SyncedPayment[] = [];
  for (const record of await context.service.findAllPaymentsByMerchantUid(merchantUid, { line })) {
    const { outcome } = await syncPayment(context, { svcUid: record.svcUid, merchantUid });
    synced.push({ record, outcome });
  }
  return synced;
}
