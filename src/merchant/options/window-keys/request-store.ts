// Requests for billing keys in the database.
//
//     stateDiagram-v2
//       [*] --> open: written before the window opens
//       open --> adopted: the row of billing_keys is there
//       open --> checked: expired, and the service was asked once more (check_at is null)
//       checked --> adopted: the notification of a key that was issued in time came later

import type { BillingKeyRequest } from '../../../generated/prisma/client';
import { DAY_MS } from '../../platform/clock';
import type { Context, KeyRequest } from '../../platform/context';
import type { Statements } from '../../platform/database-transaction';

export type StoredRequest = BillingKeyRequest;

export async function insertRequest({ database }: Context, request: StoredRequest): Promise<void> {
  await database.billingKeyRequest.create({ data: request });
}

/** Null if there is none. */
export async function findRequest({ database }: Context, customerUid: string): Promise<StoredRequest | null> {
  return database.billingKeyRequest.findUnique({ where: { customerUid } });
}

/** For the verification of a payment. */
export async function findKeyRequest(context: Context, customerUid: string): Promise<KeyRequest | null> {
  const request = await findRequest(context, customerUid);
  return request && { ...request, amount: Number(request.amount) };
}

/** A claimed check whose process dies, or that gets no answer, is due again after this time. */
const AGAIN_MS = 60_000;

/** Claims the requests that are to be checked now, so that several processes share them. */
export async function claimDueRequests(
  { database, clock }: Context,
  limit: number,
): Promise<StoredRequest[]> {
  const now = clock.now();
  return database.$queryRaw<StoredRequest[]>`
    update billing_key_requests r set check_at = ${new Date(now.getTime() + AGAIN_MS)}::timestamptz
    where customer_uid in (select customer_uid from billing_key_requests
      where check_at <= ${now}::timestamptz order by check_at limit ${limit} for update skip locked)
    returning r.customer_uid as "customerUid", member_id as "memberId", merchant_uid as "merchantUid", amount, currency,
      return_url as "returnUrl", created_at as "createdAt", expires_at as "expiresAt", check_at as "checkAt"`;
}

export async function markChecked({ database }: Context, customerUid: string): Promise<void> {
  await database.billingKeyRequest.updateMany({ where: { customerUid }, data: { checkAt: null } });
}

/** No list of the service shows older payments. */
const KEPT_MS = 90 * DAY_MS;

/** Job `delete-key-requests`. */
export async function deleteOldRequests({ database, clock }: Context): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_MS);
  await database.billingKeyRequest.deleteMany({ where: { createdAt: { lt: before }, checkAt: null } });
}

export async function hasRequests({ database }: Context, memberId: string): Promise<boolean> {
  const where = { memberId };
  return (await database.billingKeyRequest.findFirst({ where, select: { customerUid: true } })) !== null;
}

/** @param run the transaction, if there is one */
export async function deleteRequestsOf(
  { database }: Context,
  memberId: string,
  run: Statements = database,
): Promise<void> {
  await run.$executeRaw`delete from billing_key_requests where member_id = ${memberId}`;
}
