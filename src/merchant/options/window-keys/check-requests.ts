// Job `check-key-requests`: when a request has expired, its payments are fetched once more, because a notification may be
// lost (§6.5). A key that the service shows then, and that no payment explains, is left to a person.

import { bestEffort } from '../../core/attempts/send-once';
import { findKey } from '../../core/billing-keys/billing-key-store';
import { findRecord } from '../../core/billing-keys/recover-issuance';
import { comparedText } from '../../core/discrepancies/kinds';
import { recordDiscrepancy } from '../../core/discrepancies/report-discrepancy';
import { syncOrder } from '../../core/payments/sync-payment';
import { ServiceError } from '../../payment-service/records/service-error';
import type { Context } from '../../platform/context';
import { drainDueRows } from '../../platform/drain-due-rows';
import { claimDueRequests, markChecked, type StoredRequest } from './request-store';

/**
 * @param stopping is aborted when this process stops; the rest is due again after a minute
 * @throws DatabaseError if the due requests cannot be read; the job then runs again
 */
export async function checkRequests(context: Context, stopping: AbortSignal): Promise<void> {
  await drainDueRows(context, {
    kind: 'requests for keys',
    atOnce: 1,
    claim: (places) => claimDueRequests(context, places),
    work: (request) => bestEffort(context, () => tryRequest(context, request)),
    stopping,
  });
}

async function tryRequest(context: Context, request: StoredRequest): Promise<void> {
  try {
    await checkRequest(context, request);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { customerUid: customer_uid } = request;
    context.logger.info({ event: 'key_request_not_checked', customer_uid, reason: error.facts.kind });
  }
}

async function checkRequest(
  context: Context,
  { customerUid, merchantUid }: Pick<StoredRequest, 'customerUid' | 'merchantUid'>,
): Promise<void> {
  const isAdopted = async () => (await findKey(context, customerUid)) !== null;
  if (!(await isAdopted())) {
    const { payments } = await syncOrder(context, merchantUid);
    const attempts = payments.filter(({ record }) => record.customerUid === customerUid);
    // A payment that was made is a case already, with the reason.
    const isCase = attempts.some(({ record }) => record.paidAt !== null);
    // The next run looks again at a payment that could not be checked.
    if (payments.some(({ outcome }) => outcome === 'queued')) return;
    if (!isCase && !(await isAdopted()) && (await findRecord(context, customerUid)) !== null)
      await recordDiscrepancy(
        context,
        { svcUid: attempts[0]?.record.svcUid ?? '', merchantUid },
        { kind: 'unknown_billing_key', expected: comparedText('key_of_payment'), actual: customerUid },
      );
  }
  await markChecked(context, customerUid);
}
