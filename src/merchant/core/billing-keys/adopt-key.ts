// Stores a billing key that the service has issued in the payment window (§1), for one member.

import type { BillingKeyRecord } from '../../payment-service/billing-keys';
import type { Context } from '../../platform/context';
import { activeKey, findKey, insertKey } from './billing-key-store';
import { findRecord } from './recover-issuance';

type IssuedInWindow = {
  customerUid: string;
  memberId: string;
  /** The payment that issued it; null if none is known. */
  issuedBy: string | null;
  /** Of that payment: it names a wallet behind another provider. */
  payMethod?: string | null;
};

/**
 * Idempotent: the key is stored, and its event written, once.
 * @returns `known`: it was stored before, for this member. `missing`: the service shows no such key (§4.7)
 * @throws ServiceError, DatabaseError; nothing is then stored
 */
export async function adoptKey(
  context: Context,
  { customerUid, memberId, issuedBy, payMethod = null }: IssuedInWindow,
): Promise<'adopted' | 'known' | 'missing' | 'of_another_member'> {
  const record = await findRecord(context, customerUid);
  if (record === null) return 'missing';
  const key = adoptedKey(record, payMethod);
  if (await insertKey(context, { ...key, customerUid, memberId, issuedBy })) return 'adopted';
  const stored = await findKey(context, customerUid);
  return stored?.memberId === memberId && stored.status === 'active' ? 'known' : 'of_another_member';
}

/** A wallet has no card number, and often no card company: it is shown by its own name. */
function adoptedKey(record: BillingKeyRecord, payMethod: string | null) {
  const key = activeKey(record);
  return { ...key, cardName: key.cardName ?? walletName(key.pgProvider) ?? walletName(payMethod) };
}

/** The wallets whose keys are issued in the payment window, as the service names a provider or a method of payment (§2.3). */
const WALLETS: Readonly<Record<string, string>> = {
  kakaopay: '카카오페이',
  naverpay: '네이버페이',
  tosspay: '토스페이',
  payco: '페이코',
  samsung: '삼성페이',
  lpay: '엘페이',
  ssgpay: 'SSG페이',
  paypal: 'PayPal',
};

/** In Korean, as the service writes the names of card companies. Null if it is none of these. */
function walletName(name: string | null): string | null {
  return WALLETS[name?.split('_')[0] ?? ''] ?? null;
}
