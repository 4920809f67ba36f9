// Collects everything needed to verify a payment: what the service shows now, what is stored, the channel it was made
// over, and who owns the billing key that paid.

import type { PaymentRecord } from '../../payment-service/records/payment-record';
import type { Context } from '../../platform/context';
import { findKeyOwner } from '../billing-keys/billing-key-store';
import type { ReportedIds } from './fetch-payment';
import { fetchPayment } from './fetch-payment';
import { findIssuedKey } from './issued-key';
import type { Channel, Evidence } from './judge-payment';
import type { Snapshot } from './payment-store';
import { keptRecord } from './stored-record';
import { mergeRecord } from './stored-record';

/** @throws ServiceError if the service could not be asked */
export async function gatherEvidence(
  context: Context,
  reported: ReportedIds,
  snapshot: Snapshot,
): Promise<Evidence> {
  const fetched = await fetchRecord(context, reported, snapshot);
  const stored = snapshot.payments.find(({ svcUid }) => svcUid === fetched.record?.svcUid);
  const whole =
    fetched.record && stored
      ? mergeRecord(stored.record, fetched.record, fetched.generation)
      : fetched.record;
  const record = whole && snapshot.order?.isErased ? keptRecord(whole) : whole;
  return {
    reported,
    snapshot,
    record,
    showsPayer: fetched.generation === 'legacy' || stored !== undefined,
    // A stored test payment stays a test payment: a development database may be taken to production.
    channel: stored?.record['sandbox'] === true ? 'test' : fetched.channel,
    keyOwner: await keyOwnerOf(context, record, snapshot),
    issuedKey: await findIssuedKey(context, record),
    confirmed: isConfirmed(stored?.regressedAt ?? null, context.realClock.now()),
    acceptsTestPayments: !context.config.production,
  };
}

/** The service's replicas lag by less than this; our choice. */
const CONFIRMED_AFTER_MS = 5_000;

function isConfirmed(regressedAt: string | null, now: Date): boolean {
  return regressedAt !== null && now.getTime() - Date.parse(regressedAt) >= CONFIRMED_AFTER_MS;
}

type Fetched = { record: PaymentRecord | null; generation: 'legacy' | 'newer'; channel: Channel };

/**
 * The newer generation does not show the billing key that paid, nor, as §9 describes it, the channel. If the result
 * depends on one of them, the legacy record is fetched as well.
 */
async function fetchRecord(context: Context, reported: ReportedIds, snapshot: Snapshot): Promise<Fetched> {
  const { generation = 'legacy' } = reported;
  const record = await fetchPayment(context, reported);
  if (record === null) return { record, generation, channel: 'not_shown' };
  if (generation === 'legacy') return { record, generation, channel: legacyChannel(record) };
  const shown = newerChannel(record);
  if (!needsLegacyRecord(context, record, shown, snapshot)) return { record, generation, channel: shown };
  const { svcUid, otherSvcUids } = record;
  const legacy = await fetchPayment(context, { ...reported, svcUid, generation: 'legacy' });
  if (legacy === null) return { record, generation, channel: shown };
  const channel = shown === 'test' ? shown : legacyChannel(legacy);
  return { record: Object.assign(legacy, { otherSvcUids }), generation: 'legacy', channel };
}

function needsLegacyRecord(
  { config }: Context,
  { svcUid, amount }: PaymentRecord,
  shown: Channel,
  { order, payments }: Snapshot,
): boolean {
  // It pays for nothing in any case. One of 0 may have issued a key.
  if (order === null && amount > 0) return false;
  if (order === null) return true;
  if (config.production && shown === 'test') return false;
  // Also for a stored payment: it may have been stored outside production, or by a version without this check.
  if (config.production && shown === 'not_shown') return true;
  const isStored = payments.some((payment) => payment.svcUid === svcUid);
  return order.memberId !== null && !isStored;
}

/**
 * The record of §2.4 has no `sandbox` field. A record without it is live, because the service hides payments of test
 * channels from every query that does not ask for them (§4.4), and in production our queries never do.
 */
function legacyChannel({ isTest }: PaymentRecord): Channel {
  return isTest ? 'test' : 'live';
}

function newerChannel({ isTest }: PaymentRecord): Channel {
  if (isTest === null) return 'not_shown';
  return isTest ? 'test' : 'live';
}

/** Only an order with a member can be paid with another member's key. */
async function keyOwnerOf(
  context: Context,
  record: PaymentRecord | null,
  snapshot: Snapshot,
): Promise<string | null> {
  if (!record?.customerUid || !snapshot.order?.memberId) return null;
  return findKeyOwner(context, record.customerUid);
}
