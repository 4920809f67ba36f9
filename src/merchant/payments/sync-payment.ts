// The one way in which a payment gets into the books: ask the service (§4.4), judge, write. The webhook, the retry, the
// sweep and every button call this; none of them writes a payment by itself.

import type { Clock } from '../clock';
import { ServiceFault } from '../errors';
import type { PaymentService } from '../payment-service/payment-service';
import type { PaymentRecord } from '../payment-service/records';
import { nextCheckAt } from './check-plan';
import { judgePayment, promisesMore } from './judge-payment';
import type { Claim, Snapshot, Verdict } from './judge-payment';
import { TEST_BUTTON_ADDRESS, type Generation, type NotificationOutcome } from './notification';
import type { JudgedPayment, PaymentStore } from './payment-store';

/** Notifications that wait for this look at their payment. */
export type WaitingNotifications = {
  ids: readonly bigint[];
  claimedStatus: string | null;
  sourceAddress: string;
  receivedAt: Date;
  /** Looks before this one. */
  checks: number;
};

export type SyncRequest = Claim & {
  generation: Generation;
  /** Null where no notification asked for it, as in a sweep. */
  notifications: WaitingNotifications | null;
  /** What was known before this call, if the caller has just read it. */
  snapshot?: Snapshot;
};

export type SyncResult = { outcome: NotificationOutcome; reason: string | null; nextCheckAt: Date | null };

/**
 * Re-fetches one payment and stores what fits.
 * @throws DatabaseFault when it could not be written; the notifications then stay open
 */
export type SyncPayment = (request: SyncRequest) => Promise<SyncResult>;

type Dependencies = {
  service: Pick<PaymentService, 'findPayment' | 'findNewerPayment'>;
  readSnapshot: (claim: Claim) => Promise<Snapshot>;
  /** False where the order has moved on: nothing was written. */
  writeVerdict: (judged: JudgedPayment) => Promise<boolean>;
  findKeyOwner: PaymentStore['findKeyOwner'];
  clock: Clock;
};

/** How often a fetch that was overtaken by another write is repeated at once, before it is left for later. */
const MAX_FETCHES = 5;

export function createSyncPayment(dependencies: Dependencies): SyncPayment {
  const { service, readSnapshot, writeVerdict, findKeyOwner, clock } = dependencies;
  return async (request) => {
    const { svcUid, merchantUid, notifications } = request;
    const claim = { svcUid, merchantUid };
    let snapshot = request.snapshot;
    let confirmed = false;
    for (let fetches = 1; ; fetches += 1) {
      // Read before the fetch begins: if the order moves on meanwhile, the write below finds another version, nothing
      // is written and the fetch is repeated. No lock is held and no transaction is open during the call.
      snapshot ??= await readSnapshot(claim);
      const fetchedAt = clock.now();
      const verdict = fetches > MAX_FETCHES ? OVERTAKEN : await fetchAndJudge(request, snapshot, confirmed);
      if (verdict.outcome === 'doubtful') {
        confirmed = true;
        continue;
      }
      const now = clock.now();
      const next = notifications ? nextLook(verdict, notifications, now) : null;
      const written = await writeVerdict({
        claim,
        verdict,
        version: snapshot.order?.version ?? null,
        fetchedAt,
        now,
        notifications: notifications && {
          ids: notifications.ids,
          outcome: verdict.outcome,
          nextCheckAt: next,
        },
      });
      if (written) {
        return {
          outcome: verdict.outcome,
          reason: verdict.outcome === 'queued' ? verdict.reason : null,
          nextCheckAt: next,
        };
      }
      snapshot = undefined;
      confirmed = false;
    }
  };

  async function fetchAndJudge(
    request: SyncRequest,
    snapshot: Snapshot,
    confirmed: boolean,
  ): Promise<Verdict> {
    let record: PaymentRecord | null;
    try {
      // The newer generation looks a payment up by its payment_id, which is the order's id (§9).
      record =
        request.generation === 'legacy'
          ? await service.findPayment(request.svcUid)
          : await service.findNewerPayment(request.merchantUid);
    } catch (error) {
      if (error instanceof ServiceFault) return { outcome: 'queued', reason: error.facts.kind, findings: [] };
      throw error;
    }
    return judgePayment({
      claim: request,
      snapshot,
      record,
      keyOwner: await keyOwnerFor(record, snapshot),
      confirmed,
      fromTestButton: request.notifications?.sourceAddress === TEST_BUTTON_ADDRESS,
    });
  }

  /** Only an order that names its member can be paid with somebody else's key. */
  async function keyOwnerFor(record: PaymentRecord | null, snapshot: Snapshot): Promise<string | null> {
    if (!record?.customerUid || !snapshot.order?.memberId) return null;
    return findKeyOwner(record.customerUid);
  }
}

const OVERTAKEN: Verdict = { outcome: 'queued', reason: 'overtaken', findings: [] };

type SettledVerdict = Exclude<Verdict, { outcome: 'doubtful' }>;

function nextLook(verdict: SettledVerdict, waiting: WaitingNotifications, now: Date): Date | null {
  return nextCheckAt({
    outcome: verdict.outcome,
    statusBehind: 'payment' in verdict && promisesMore(waiting.claimedStatus, verdict.payment.status),
    checks: waiting.checks + 1,
    receivedAt: waiting.receivedAt,
    now,
  });
}
