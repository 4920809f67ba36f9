// SETTLEMENT_COLUMNS: which column of a settlement file has what. The document describes no such file.

import { z } from 'zod';
import { defineSettings } from '../../platform/settings';

export type SettlementColumns = {
  id: { kind: 'svc_uid' | 'merchant_uid'; column: string };
  amount: string;
  /** Columns that are added up, such as a fee and its VAT. */
  fee: readonly string[];
  paidOutOn: string;
  /** Tells refunds from payments; null if refunds have negative amounts. */
  kind: string | null;
};

const FIELDS = ['svc_uid', 'merchant_uid', 'amount', 'fee', 'paid_out_on', 'kind'];

/** `field=column` for each field, separated by commas; the fee may be several columns with "+" between them. */
const settlementColumns = z
  .string()
  .default('svc_uid=svc_uid,amount=amount,fee=fee,paid_out_on=paid_out_on')
  .transform((text, context): SettlementColumns => {
    const columns = readColumns(text);
    if (columns) return columns;
    context.addIssue(
      'must be like svc_uid=결제번호,amount=금액,fee=수수료+부가세,paid_out_on=정산일,kind=구분: svc_uid or merchant_uid, amount, fee, paid_out_on, and kind where there is one',
    );
    return z.NEVER;
  });

export const ledgerSettings = defineSettings({ shape: { SETTLEMENT_COLUMNS: settlementColumns } });

/** Returns null if a field is missing, unknown, given twice, or without a column. */
function readColumns(text: string): SettlementColumns | null {
  const pairs = text.split(',').map((entry) => entry.split('=').map((part) => part.trim()));
  const columns = new Map(pairs.map(([field = '', column = '']) => [field, column]));
  const isKnown = pairs.every((pair) => pair.length === 2 && FIELDS.includes(pair[0] ?? '') && pair[1]);
  if (!isKnown || columns.size < pairs.length) return null;
  const [svcUid, merchantUid, amount, fee, paidOutOn, kind = null] = FIELDS.map((field) =>
    columns.get(field),
  );
  if (amount === undefined || fee === undefined || paidOutOn === undefined) return null;
  if ((svcUid === undefined) === (merchantUid === undefined)) return null;
  const id =
    svcUid === undefined
      ? { kind: 'merchant_uid' as const, column: merchantUid ?? '' }
      : { kind: 'svc_uid' as const, column: svcUid };
  return { id, amount, fee: fee.split('+').map((name) => name.trim()), paidOutOn, kind };
}
