// The history of one payment and the result of verifying it now, and the same for an order id. Writes nothing.

import { findOrder, type StoredOrder } from '../core/orders/order-store';
import { gatherEvidence } from '../core/payments/gather-evidence';
import { judgePayment, type Verdict } from '../core/payments/judge-payment';
import { readChain, readLinks, type Chain } from '../core/payments/payment-chain';
import { findHistory, findPaymentsOf, type PaymentHistory } from '../core/payments/payment-history-store';
import { readSnapshot } from '../core/payments/payment-store';
import { isMerchantUid, isSvcUid } from '../payment-service/identifiers';
import type { PaymentRecord } from '../payment-service/records/payment-record';
import { ServiceError } from '../payment-service/records/service-error';
import { UnreadableRecordError } from '../payment-service/records/shown-record';
import type { Context, PaymentLink } from '../platform/context';

export type Explanation = {
  svcUid: string;
  merchantUid: string | null;
  history: PaymentHistory;
  order: StoredOrder | null;
  /** The service's current record; null if it knows no such payment, or the record cannot be read or asked for. */
  record: PaymentRecord | null;
  /** Null if nothing names an order, or there is no record to verify. */
  verdict: Verdict | null;
  /** Why there is no record although the service may have one; null otherwise. */
  problem: ServiceError | null;
  /** Of the payment, and, unless its order is explained as well, of the order. */
  moments: Chain['moments'];
  /** Where else it is seen. */
  links: PaymentLink[];
};

/**
 * @param order the order being explained, for a payment that no row names, and whether the service could be asked for it
 * @throws DatabaseError
 */
export async function explainPayment(
  context: Context,
  svcUid: string,
  order: { merchantUid: string; problem: ServiceError | null } | null = null,
): Promise<Explanation> {
  const history = await findHistory(context, svcUid);
  const last = history.notifications.at(-1);
  const named =
    history.payment?.merchantUid ??
    last?.merchantUid ??
    order?.merchantUid ??
    history.discrepancies.at(-1)?.merchantUid;
  const asked = order?.problem
    ? { merchantUid: named ?? null, record: null, verdict: null, problem: order.problem }
    : await askService(context, { svcUid, named, generation: last?.generation });
  const { merchantUid } = asked;
  const { moments } = await readChain(context, {
    merchantUid: order ? null : merchantUid,
    svcUids: [svcUid],
  });
  const { publicUrl } = context.config;
  const ownUrl = publicUrl ?? 'http://localhost';
  const isStored = history.payment !== null && merchantUid !== null;
  return {
    svcUid,
    history,
    ...asked,
    order: merchantUid === null ? null : await findOrder(context, merchantUid),
    moments,
    links: isStored ? await readLinks(context, { svcUid, merchantUid, ownUrl }) : [],
  };
}

type Asked = { svcUid: string; named: string | undefined; generation: 'legacy' | 'newer' | undefined };

/** What a service that does not work, or shows a record that cannot be read, says of the payment is no error here. */
async function askService(
  context: Context,
  { svcUid, named, generation }: Asked,
): Promise<Pick<Explanation, 'merchantUid' | 'record' | 'verdict' | 'problem'>> {
  let merchantUid = named ?? null;
  try {
    merchantUid ??= (await context.service.findShownPayment(svcUid))?.merchantUid ?? null;
    if (merchantUid === null) return { merchantUid, record: null, verdict: null, problem: null };
    const reported = { svcUid, merchantUid, generation };
    const evidence = await gatherEvidence(context, reported, await readSnapshot(context, reported));
    // The same verification as in `syncPayment`, with a confirmed answer.
    const verdict = judgePayment({ ...evidence, confirmed: true });
    return { merchantUid, record: evidence.record, verdict, problem: null };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { merchantUid, record: null, verdict: null, problem: error };
  }
}

/** The fields that cannot be read; null if the service was not asked, or its answer is no record. */
export function unreadableFields(problem: ServiceError | null): string[] | null {
  return problem instanceof UnreadableRecordError ? problem.shown.fields : null;
}

export type OrderExplanation = {
  merchantUid: string;
  /** Null if the order is not registered. */
  order: StoredOrder | null;
  /** Of the order itself. */
  moments: Chain['moments'];
  charges: Chain['charges'];
  payments: Explanation[];
  /** Why the service could not be asked for its payments; null otherwise. */
  problem: ServiceError | null;
};

/**
 * The charges of an order, and each payment that was named together with it, here or at the payment service. Returns
 * null if nothing is known under this id, neither here nor at the service.
 * @throws DatabaseError
 */
export async function explainOrder(context: Context, merchantUid: string): Promise<OrderExplanation | null> {
  const order = await findOrder(context, merchantUid);
  const svcUids = await findPaymentsOf(context, merchantUid);
  const { atService, problem } = await findAtService(context, merchantUid);
  const all = [...new Set([...svcUids, ...atService])].filter(isSvcUid);
  if (order === null && all.length === 0 && problem === null) return null;
  const payments: Explanation[] = [];
  for (const svcUid of all) payments.push(await explainPayment(context, svcUid, { merchantUid, problem }));
  const { moments, charges } = await readChain(context, { merchantUid, svcUids: [] });
  return { merchantUid, order, moments, charges, payments, problem };
}

/** Only the service knows a payment whose notification never arrived. */
async function findAtService(
  context: Context,
  merchantUid: string,
): Promise<{ atService: (string | null)[]; problem: ServiceError | null }> {
  if (!isMerchantUid(merchantUid)) return { atService: [], problem: null };
  try {
    const { list, unreadable } = await context.service.findAllPaymentsByMerchantUid(merchantUid);
    return { atService: [...list, ...unreadable].map(({ svcUid }) => svcUid), problem: null };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { atService: [], problem: error };
  }
}
