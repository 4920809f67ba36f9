// The columns of the ledger's page and CSV.

import { SEOUL_OFFSET_MS } from '../../platform/clock';
import type { Movement } from './ledger-store';

type Kinds = Record<Movement['kind'], string>;
type Cell = string | number | null;

/** In this order. `fee` and `paid_out_on` are empty until a settlement file is imported. */
const COLUMNS = {
  at: ({ at }) => seoulTime(at),
  kind: ({ kind }, kinds) => kinds[kind],
  amount: ({ amount }) => Number(amount),
  currency: ({ currency }) => currency,
  merchant_uid: ({ merchantUid }) => merchantUid,
  svc_uid: ({ svcUid }) => svcUid,
  refund_id: ({ refundId }) => (refundId === null ? null : String(refundId)),
  approval_number: ({ approvalNumber }) => approvalNumber,
  card_company: ({ cardCompany }) => cardCompany,
  pg_provider: ({ pgProvider }) => pgProvider,
  pg_tid: ({ pgTid }) => pgTid,
  fee: ({ fee }) => (fee === null ? null : Number(fee)),
  paid_out_on: ({ paidOutOn }) => paidOutOn,
} as const satisfies Record<string, (movement: Movement, kinds: Kinds) => Cell>;

export type LedgerColumn = keyof typeof COLUMNS;
export const COLUMN_NAMES = Object.keys(COLUMNS) as LedgerColumn[];

/** @param kinds the words for the kinds */
export const cellsOf = (movement: Movement, kinds: Kinds): Cell[] =>
  COLUMN_NAMES.map((name) => COLUMNS[name](movement, kinds));

/** Such as `2026-11-21 18:00:00`, in Seoul. */
function seoulTime(time: Date): string {
  return new Date(time.getTime() + SEOUL_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ');
}
