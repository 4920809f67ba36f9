// SETTLEMENT_COLUMNS: which column of a settlement file has what. The document describes no such file.

import { z } from 'zod';
import { defineSettings } from '../../platform/settings';

/** What may name a movement in a file. A refund may have the PG transaction of its payment, or one of its own. */
const IDS = ['svc_uid', 'merchant_uid', 'pg_tid', 'approval_number'] as const;

export type SettlementColumns = {
  id: { kind: (typeof IDS)[number]; column: string };
  amount: string;
  /** Columns that are added up, such as a fee and its VAT. */
  fee: readonly string[];
  paidOutOn: string;
  /** Tells refunds from payments; null if refunds have negative amounts. */
  kind: string | null;
};

const FIELDS = ['amount', 'fee', 'paid_out_on', 'kind'] as const;

/** `field=column` for each field, separated by commas; the fee may be several columns with "+" between them. */
const settlementColumns = z
  .string()
  .default('svc_uid=svc_uid,amount=amount,fee=fee,paid_out_on=paid_out_on')
  .transform((text, context): SettlementColumns => {
    const columns = readColumns(text);
    if (columns) return columns;
    context.addIssue(
      'must be like svc_uid=결제번호,amount=금액,fee=수수료+부가세,paid_out_on=정산일,kind=구분: one of svc_uid, merchant_uid, pg_tid and approval_number; amount, fee, paid_out_on, and kind where there is one',
    );
    return z.NEVER;
  });

export const ledgerSettings = defineSettings({ shape: { SETTLEMENT_COLUMNS: settlementColumns } });

/** Returns null if a field is missing, unknown, given twice, or without a column. */
function readColumns(text: string): SettlementColumns | null {
  const pairs = text.split(',').map((entry) => entry.split('=').map((part) => part.trim()));
  const columns = new Map(pairs.map(([field = '', column = '']) => [field, column]));
  const isKnown = pairs.every(
    ([field = '', column = '', ...rest]) =>
      rest.length === 0 && column !== '' && [...IDS, ...FIELDS].some((name) => name === field),
  );
  if (!isKnown || columns.size < pairs.length) return null;
  const [amount, fee, paidOutOn, kind = null] = FIELDS.map((field) => columns.get(field));
  if (amount === undefined || fee === undefined || paidOutOn === undefined) return null;
  const ids = IDS.flatMap((name) => {
    const column = columns.get(name);
    return column === undefined ? [] : [{ kind: name, column }];
  });
  const [id] = ids;
  if (id === undefined || ids.length > 1) return null;
  return { id, amount, fee: fee.split('+').map((name) => name.trim()), paidOutOn, kind };
}
