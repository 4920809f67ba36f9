// Everything that the judgement needs to know about a claimed payment: what the service shows now, together with what
// is stored, and who owns the billing key that paid.

import { findKeyOwner } from '../billing-keys/billing-key-store';
import type { Context } from '../context';
import type { PaymentRecord } from '../payment-service/records/payment-record';
import type { Claim } from './claim';
import { fetchPayment } from './fetch-payment';
import type { Evidence } from './judge-payment';
import { keptRecord } from './kept-record';
import { mergeRecord } from './merge-record';
import type { Snapshot } from './snapshot-store';

/** @throws ServiceError where the service could not be asked */
export async function gatherEvidence(context: Context, claim: Claim, snapshot: Snapshot): Promise<Evidence> {
  const fetched = await fetchWithPayer(context, claim, snapshot);
  const stored = snapshot.payments.find(({ svcUid }) => svcUid === fetched.record?.svcUid);
  const whole =
    fetched.record && stored
      ? mergeRecord(stored.record, fetched.record, fetched.generation)
      : fetched.record;
  const record = whole && snapshot.order?.isErased ? keptRecord(whole) : whole;
  return {
    claim,
    snapshot,
    record,
    showsPayer: fetched.generation === 'legacy' || stored !== undefined,
    keyOwner: await keyOwnerOf(context, record, snapshot),
    confirmed: isConfirmed(stored?.wentBackAt ?? null, context.clock.now()),
    acceptsTestPayments: !context.config.production,
  };
}

/** Copies of the service lag by less than this; our choice. */
const CONFIRMED_AFTER_MS = 5_000;

function isConfirmed(wentBackAt: string | null, now: Date): boolean {
  return wentBackAt !== null && now.getTime() - Date.parse(wentBackAt) >= CONFIRMED_AFTER_MS;
}

type Fetched = { record: PaymentRecord | null; generation: 'legacy' | 'newer' };

/**
 * The newer generation does not show with which billing key a payment was made. Where the order names its member, that
 * has to be known before the payment counts: the legacy record is fetched as well.
 */
async function fetchWithPayer(context: Context, claim: Claim, snapshot: Snapshot): Promise<Fetched> {
  const { generation = 'legacy' } = claim;
  const record = await fetchPayment(context, claim);
  const isStored = snapshot.payments.some(({ svcUid }) => svcUid === record?.svcUid);
  if (generation === 'legacy' || !record || isStored || !snapshot.order?.memberId)
    return { record, generation };
  const { svcUid, otherSvcUids } = record;
  const legacy = await fetchPayment(context, { ...claim, svcUid, generation: 'legacy' });
  return legacy
    ? { record: Object.assign(legacy, { otherSvcUids }), generation: 'legacy' }
    : { record, generation };
}

/** Only an order that names its member can be paid with the key of another one. */
async function keyOwnerOf(
  context: Context,
  record: PaymentRecord | null,
  snapshot: Snapshot,
): Promise<string | null> {
  if (!record?.customerUid || !snapshot.order?.memberId) return null;
  return findKeyOwner(context, record.customerUid);
}
