// Amount and buyer of the items of the action queue, by the payments and orders that they name.

import type { Context, QueueItem } from '../../../platform/context';

/** What items have in common: each kind has some of it. */
export type QueueRow = QueueItem & {
  kind?: string;
  svc_uid?: string | null;
  merchant_uid?: string | null;
  customer_uid?: string | null;
  amount?: number | null;
  currency?: string | null;
  /** Of a discrepancy. */
  actual?: string | null;
  resolved_at?: string | null;
};

export type Subject = {
  /** Null if no row has it: the payment service knows it. */
  amount: number | null;
  currency: string | null;
  merchantUid: string | null;
  memberId: string | null;
  buyerName: string | null;
};

/** An amount as a discrepancy has it. */
const AMOUNT = /^(\d{1,15}) ([A-Z]{3})$/;

/** For each item, by the item. */
export async function findSubjects(
  { database }: Context,
  items: readonly QueueRow[],
): Promise<ReadonlyMap<QueueRow, Subject>> {
  const given = (name: 'svc_uid' | 'merchant_uid' | 'customer_uid') =>
    items.flatMap((item) => item[name] ?? []);
  const payments = await database.payment.findMany({
    where: { svcUid: { in: given('svc_uid') } },
    select: { svcUid: true, merchantUid: true, amount: true, currency: true },
  });
  const uids = [...given('merchant_uid'), ...payments.map(({ merchantUid }) => merchantUid)];
  const [orders, keys] = await Promise.all([
    database.order.findMany({
      where: { merchantUid: { in: uids } },
      select: { merchantUid: true, amount: true, currency: true, memberId: true, buyerName: true },
    }),
    database.billingKey.findMany({
      where: { customerUid: { in: given('customer_uid') } },
      select: { customerUid: true, memberId: true },
    }),
  ]);
  return new Map(items.map((item) => [item, subjectOf(item)]));

  function subjectOf(item: QueueRow): Subject {
    const payment = payments.find(({ svcUid }) => svcUid === item.svc_uid);
    const merchantUid = item.merchant_uid || payment?.merchantUid || null;
    const order = orders.find((each) => each.merchantUid === merchantUid);
    const key = keys.find(({ customerUid }) => customerUid === item.customer_uid);
    const [, compared, currency = null] = AMOUNT.exec(item.actual ?? '') ?? [];
    // The order of a discrepancy may have another amount than the payment that it is about.
    const charged = item.kind === undefined || payment ? order : undefined;
    const money =
      item.amount != null
        ? { amount: item.amount, currency: item.currency ?? payment?.currency ?? null }
        : compared !== undefined
          ? { amount: Number(compared), currency }
          : (payment ?? charged);
    return {
      amount: money ? Number(money.amount) : null,
      currency: money?.currency ?? null,
      merchantUid,
      memberId: order?.memberId ?? (key?.memberId || null),
      buyerName: order?.buyerName ?? null,
    };
  }
}
