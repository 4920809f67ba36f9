// What the service shows now about the money of one payment, stored or not. Used for decisions of a person and for
// refunds of payments that fit no order. Nothing of it is stored.

import type { Payment, PaymentStatus } from '../../../generated/prisma/client';
import { isSvcUid } from '../../payment-service/identifiers';
import type { ShownPayment } from '../../payment-service/records/payment-record';
import type { Config } from '../../platform/config';
import type { Context } from '../../platform/context';
import type { Contradiction } from './decision';

export type HeldMoney = {
  record: ShownPayment;
  /**
   * The refundable balance, with a fraction if the service shows one. Null if it is unknown: the status is not one of
   * §2.4, or an amount is no number.
   */
  held: number | null;
};

/**
 * Returns null if the service shows no payment under this svc_uid, or cannot be asked for it because of its characters.
 * @throws ServiceError if the service could not be asked
 */
export async function fetchHeldMoney(context: Context, svcUid: string): Promise<HeldMoney | null> {
  if (!isSvcUid(svcUid)) return null;
  const record = await context.service.findShownPayment(svcUid);
  return record?.svcUid === svcUid ? { record, held: heldByRecord(context, record) } : null;
}

/**
 * The refundable balance of a payment. A partial cancellation can be shown as `cancelled` with `cancel_amount` below
 * `amount`, so the amounts decide. A `cancelled` payment without a cancelled amount was never paid (§2.4 does not say).
 */
export function heldAmount(payment: { status: PaymentStatus; amount: number; cancelAmount: number }): number {
  if (payment.status === 'paid') return payment.amount - payment.cancelAmount;
  if (payment.status === 'cancelled' && payment.cancelAmount > 0)
    return payment.amount - payment.cancelAmount;
  return 0;
}

/** The refundable balance of a stored payment. */
export function heldByPayment({
  status,
  amount,
  cancelAmount,
}: Pick<Payment, 'status' | 'amount' | 'cancelAmount'>): number {
  return heldAmount({ status, amount: Number(amount), cancelAmount: Number(cancelAmount) });
}

/** Null if it is unknown. In production a payment of a test channel has no balance (§4.4). */
export function heldByRecord(
  { config }: { config: Pick<Config, 'production'> },
  record: Pick<ShownPayment, 'status' | 'amount' | 'cancelAmount' | 'isTest'>,
): number | null {
  const { status, amount, cancelAmount } = record;
  if (config.production && record.isTest) return 0;
  if (status === 'ready' || status === 'failed') return 0;
  if (amount === null || cancelAmount === null) return null;
  // A record may contradict itself: if more was cancelled than paid, the balance is 0.
  return status === 'unknown' ? null : Math.max(0, heldAmount({ status, amount, cancelAmount }));
}

/** An amount as the database keeps it; null if it is not a whole number. */
export function wholeAmount(amount: number | null): bigint | null {
  return Number.isSafeInteger(amount) ? BigInt(amount as number) : null;
}

/** What the service shows of a payment that contradicts a person's decision. */
export function heldContradiction(svcUid: string, shown: HeldMoney | null): Contradiction {
  if (!shown) return paymentMissing(svcUid);
  const { held, record } = shown;
  const { status, currency } = record;
  if (held === null || status === 'unknown')
    return {
      en: `The payment service shows ${svcUid} with an unknown status.`,
      ko: `결제 서비스에서 ${svcUid} 결제는 알 수 없는 상태입니다.`,
    };
  const unit = currency === 'KRW' ? '원' : ` ${currency ?? '(통화 없음)'}`;
  return {
    en: `The payment service shows ${svcUid} as ${status}: it holds ${held} ${currency ?? 'without a currency'}.`,
    ko: `결제 서비스에서 ${svcUid} 결제는 ‘${STATUSES_KO[status]}’ 상태이고 환불 가능 금액은 ${held.toLocaleString('ko')}${unit}입니다.`,
  };
}

export const paymentMissing = (svcUid: string): Contradiction => ({
  en: `The payment service knows no payment ${svcUid}.`,
  ko: `결제 서비스에 ${svcUid} 결제가 없습니다.`,
});

/** As on the operator pages. */
const STATUSES_KO: Record<PaymentStatus, string> = {
  ready: '입금 대기',
  paid: '결제 완료',
  failed: '실패',
  cancelled: '취소됨',
};
