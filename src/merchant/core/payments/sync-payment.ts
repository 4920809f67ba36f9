// The only way to store a payment: read what is known, ask the service (§4.4), verify, write. The webhook, its retries,
// reconciliation, charges, refunds and commands all call `syncPayment`.

import type { PaymentStatus } from '../../../generated/prisma/client';
import type { PaymentRecord } from '../../payment-service/records/payment-record';
import { ServiceError } from '../../payment-service/records/service-error';
import { UnreadableRecordError, type ShownRecord } from '../../payment-service/records/shown-record';
import type { Context } from '../../platform/context';
import { DatabaseError, VALUE_REFUSED } from '../../platform/errors';
import { adoptKey } from '../billing-keys/adopt-key';
import type { MismatchKind } from '../discrepancies/kinds';
import { recordDiscrepancy, reportDiscrepancies } from '../discrepancies/report-discrepancy';
import { findUnreported } from '../discrepancies/store';
import {
  RECORD_UNREADABLE,
  recordUnreadable,
  refusedDiscrepancy,
  unreadableDiscrepancy,
} from '../discrepancies/unreadable-record';
import { deliverSoon } from '../events/save-events';
import type { ReportedIds } from './fetch-payment';
import { gatherEvidence } from './gather-evidence';
import type { IssuedKey } from './issued-key';
import { judgePayment, type Verdict } from './judge-payment';
import { findRefundBehind, markRegressed, readSnapshot, type Snapshot } from './payment-store';
import { toDiscrepancies, writeVerdict, type JudgedPayment, type WriteResult } from './verdict-store';

export type SyncOutcome =
  /** It fits and is stored, or the billing key that it has issued is. */
  | 'recorded'
  /** Nothing new: it fits and was stored like this, or nothing was paid. */
  | 'unchanged'
  /** It could not be checked now. */
  | 'queued'
  /** It was checked and is false. */
  | MismatchKind;

export type SyncResult = {
  outcome: SyncOutcome;
  /** Why it could not be checked; null otherwise. */
  reason: string | null;
  /**
   * How long it was put off without a fetch, because the service asked for a pause or our own limit applies; null
   * otherwise.
   */
  putOffMs: number | null;
  /** The status that the service confirmed; null unless the outcome is `recorded` or `unchanged`. */
  status: PaymentStatus | null;
};

type SyncOptions = {
  /** The snapshot, if the caller has just read it. It is read if absent. */
  known?: Snapshot | undefined;
  /** Called before the fetch. Returns for how many milliseconds to put it off; null if it may be made now. */
  pace?: (snapshot: Snapshot) => number | null | Promise<number | null>;
};

/** How often a fetch is repeated at once because its order has changed or is locked. After that it is left for later. */
const MAX_FETCHES = 5;

/**
 * Re-fetches a reported payment and stores it if it fits, with all consequences: the status of its order, the event,
 * new discrepancies, and open ones that it resolves. Then stores the billing key that it has issued for a request of
 * ours. If that fails, the payment is `queued`, although it is stored, so that it is synced again.
 * @throws DatabaseError when nothing, or only the payment, could be written
 */
export async function syncPayment(
  context: Context,
  reported: ReportedIds,
  options: SyncOptions = {},
): Promise<SyncResult> {
  const { result, issuedKey } = await recordPayment(context, reported, options);
  if (issuedKey?.kind !== 'requested' || !fits(result.outcome)) return result;
  try {
    const adopted = await adoptKey(context, issuedKey);
    if (adopted === 'adopted') return { ...result, outcome: 'recorded' };
    return adopted === 'missing' ? toResult(KEY_NOT_SHOWN) : result;
  } catch (error) {
    if (error instanceof ServiceError) return toResult(queuedBy(error));
    if (!(error instanceof DatabaseError && error.refusesValue)) throw error;
    await recordDiscrepancy(context, reported, refusedDiscrepancy(error.code));
    return toResult(REFUSED);
  }
}

/** `issuedKey`: null if the payment has issued no key, or could not be fetched. */
type RecordedResult = { result: SyncResult; issuedKey: IssuedKey | null };

async function recordPayment(
  context: Context,
  reported: ReportedIds,
  { known, pace }: SyncOptions,
): Promise<RecordedResult> {
  const { clock } = context;
  // Read before the fetch. If the order changes meanwhile, the write finds another version, writes nothing, and the
  // fetch is repeated. No lock is held and no transaction is open during the call.
  let snapshot = known ?? (await readSnapshot(context, reported));
  const putOffMs = pace ? await pace(snapshot) : null;
  if (putOffMs !== null) return { result: toResult({ ...PACED, putOffMs }), issuedKey: null };
  for (let fetches = 1; ; fetches += 1) {
    context.service.applyPauses(snapshot.pauses);
    const fetchedAt = clock.now();
    const { verdict, issuedKey } =
      fetches > MAX_FETCHES ? judgedAs(OVERTAKEN) : await fetchAndJudge(context, reported, snapshot);
    if (verdict.outcome === 'needs_confirmation') {
      await markRegressed(context, verdict.svcUid);
      return { result: toResult(REGRESSED), issuedKey: null };
    }
    const result = toResult(verdict);
    if (changesNothing(reported, verdict, snapshot)) return { result, issuedKey };
    const judged: JudgedPayment = {
      reported,
      verdict,
      order: snapshot.order,
      fetchedAt,
      refundId: await refundBehind(context, verdict),
    };
    const unreported = await findUnreported(context, toDiscrepancies(judged));
    switch (await writeOrRefuse(context, judged)) {
      case 'written':
        reportDiscrepancies(context, unreported);
        if (verdict.outcome === 'recorded' && verdict.event !== null) deliverSoon(context);
        return { result, issuedKey };
      case 'refused':
        return { result: toResult(REFUSED), issuedKey: null };
      case 'overtaken':
        snapshot = await readSnapshot(context, reported);
    }
  }
}

async function refundBehind(context: Context, verdict: Verdict): Promise<bigint | null> {
  if (verdict.outcome !== 'recorded') return null;
  const { payment, refunded } = verdict;
  return findRefundBehind(context, payment.record, refunded.now - refunded.before);
}

/**
 * What `syncPayment` would find now. Nothing is written or reported. Its fetch is not shared with other calls.
 * @throws DatabaseError
 */
export async function previewSync(context: Context, reported: ReportedIds): Promise<SyncResult> {
  const snapshot = await readSnapshot(context, reported);
  context.service.applyPauses(snapshot.pauses);
  const { verdict, issuedKey } = await fetchAndJudge(context, reported, snapshot);
  const result = toResult(verdict.outcome === 'needs_confirmation' ? REGRESSED : verdict);
  return issuedKey?.kind === 'requested' && result.outcome === 'unchanged'
    ? { ...result, outcome: 'recorded' }
    : result;
}

/**
 * A value that PostgreSQL refuses is refused again by each try, so a person has to see the payment. Its svc_uid can always
 * be stored.
 */
async function writeOrRefuse(context: Context, judged: JudgedPayment): Promise<WriteResult | 'refused'> {
  try {
    return await writeVerdict(context, judged);
  } catch (error) {
    if (!(error instanceof DatabaseError && error.refusesValue)) throw error;
    await recordDiscrepancy(context, judged.reported, refusedDiscrepancy(error.code));
    return 'refused';
  }
}

type Judged = { verdict: Verdict; issuedKey: IssuedKey | null };

const judgedAs = (verdict: Verdict): Judged => ({ verdict, issuedKey: null });

async function fetchAndJudge(context: Context, reported: ReportedIds, snapshot: Snapshot): Promise<Judged> {
  try {
    const evidence = await gatherEvidence(context, reported, snapshot);
    return { verdict: judgePayment(evidence), issuedKey: evidence.issuedKey };
  } catch (error) {
    if (error instanceof UnreadableRecordError && isAbout(reported, error.shown))
      return judgedAs({
        outcome: 'queued',
        reason: RECORD_UNREADABLE,
        discrepancies: [unreadableDiscrepancy(error.shown)],
      });
    if (error instanceof ServiceError) return judgedAs(queuedBy(error));
    throw error;
  }
}

/** Otherwise the answer is no record of the payment, as when the service does not work. */
function isAbout({ svcUid, merchantUid, generation }: ReportedIds, shown: ShownRecord): boolean {
  return generation === 'newer' ? shown.merchantUid === merchantUid : shown.svcUid === svcUid;
}

/** If the service asks for a pause, it also says when to ask again. */
function queuedBy({ facts: { kind, retryAfterSeconds } }: ServiceError): Queued {
  const isPause = kind === 'rate_limited' && retryAfterSeconds !== undefined;
  const putOff = isPause ? { putOffMs: retryAfterSeconds * 1000 } : {};
  return { outcome: 'queued', reason: kind, discrepancies: [], ...putOff };
}

type Queued = Extract<Verdict, { outcome: 'queued' }>;
const PACED: Queued = { outcome: 'queued', reason: 'paced', discrepancies: [] };
/** A replica of the service may lag, so the stored payment stays as it is until a later sync shows the same. */
const REGRESSED: Queued = { outcome: 'queued', reason: 'regressed', discrepancies: [] };
const OVERTAKEN: Queued = { outcome: 'queued', reason: 'overtaken', discrepancies: [] };
/** The service shows the payment that has issued the key, and not the key (§4.7). */
const KEY_NOT_SHOWN: Queued = { outcome: 'queued', reason: 'key_not_shown', discrepancies: [] };
const REFUSED: Queued = { outcome: 'queued', reason: VALUE_REFUSED, discrepancies: [] };

function changesNothing(
  { isVisitors }: ReportedIds,
  { outcome, discrepancies }: JudgedPayment['verdict'],
  { hasOpenUntilMatch }: Snapshot,
): boolean {
  if (isVisitors && isContradicted(outcome)) return true;
  if (outcome === 'unchanged') return !hasOpenUntilMatch;
  return outcome === 'queued' && discrepancies.length === 0;
}

/**
 * Whether there is no such payment for the reported order. If only a visitor reported it, this is no discrepancy,
 * because anyone can invent such reports. A payment of the order with a wrong amount exists, so it is stored as one.
 */
function isContradicted(outcome: Verdict['outcome']): boolean {
  return outcome === 'unknown_payment' || outcome === 'order_mismatch' || outcome === 'unknown_order';
}

function toResult(verdict: JudgedPayment['verdict']): SyncResult {
  return {
    outcome: verdict.outcome,
    reason: verdict.outcome === 'queued' ? verdict.reason : null,
    putOffMs: (verdict.outcome === 'queued' && verdict.putOffMs) || null,
    status: 'payment' in verdict ? verdict.payment.status : null,
  };
}

/** Whether the sync found the reported payment for the reported order. */
export function fits(outcome: SyncOutcome): outcome is 'recorded' | 'unchanged' {
  return outcome === 'recorded' || outcome === 'unchanged';
}

type SyncedPayment = { record: PaymentRecord; outcome: SyncOutcome };

export type SyncedOrder = {
  payments: SyncedPayment[];
  /** Records of the order's list that cannot be read. Each may be a payment of this order. */
  unreadable: ShownRecord[];
};

/**
 * Fetches every payment that the service shows for one order, and syncs each. Used before money is taken for an order,
 * and after the answer to a charge was lost. It also stores payments whose notification never arrived.
 * @param channel `writes` before money is taken: the query then goes out with the calls that move money, also during a
 * pause that the service has asked for
 * @throws ServiceError if the service could not be asked, DatabaseError
 */
export async function syncOrder(
  context: Context,
  merchantUid: string,
  channel?: 'writes',
): Promise<SyncedOrder> {
  const { list, unreadable } = await context.service.findAllPaymentsByMerchantUid(merchantUid, { channel });
  await recordUnreadable(context, unreadable);
  const payments: SyncedPayment[] = [];
  for (const record of list) {
    const { outcome } = await syncPayment(context, { svcUid: record.svcUid, merchantUid });
    payments.push({ record, outcome });
  }
  return { payments, unreadable };
}
