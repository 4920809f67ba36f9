// The tables of the ledger: what settlement files say, and what is wrong with them.

import { z } from 'zod';
import {
  SettlementProblemKind,
  type Settlement,
  type SettlementProblem,
} from '../../../generated/prisma/client';
import type { Columns } from '../../platform/personal-data';
import { column, describeRow, hidden, text, time, type Lines } from '../../platform/row';

export const settlementColumns = {
  svcUid: 'stays',
  part: 'stays',
  fee: 'stays',
  paidOutOn: 'stays',
  importedAt: 'stays',
} satisfies Columns<Settlement>;

const problem = z.enum(SettlementProblemKind).meta({
  description:
    '`unreadable`: a cell cannot be read. `not_found`: the ledger has no such movement. `amount_differs`: it has one, of another amount. `repeated`: an earlier row of the file is about it. `ambiguous`: several payments have this approval number and amount. `missing`: no file has named this movement, although later ones of its method were paid out.',
});
const line = z.int().nullable().describe('Of the row in the file; null for a movement that it lacks.');
const unread = text.nullable().describe('The column that cannot be read.');
const reference = text.nullable().describe('What the row names; the svc_uid of a movement that is missing.');
const kind = text.nullable().describe('`payment` or `refund`.');
const amount = z.int().nullable().describe('Negative for a refund.');
const paidOutOn = time.nullable().describe('The day that the row says.');
const svcUid = text.nullable().describe('The payment whose movement is missing.');
const resolvedAt = time.nullable().describe('Null while it is open.');
const resolvedBy = text.nullable().describe('Null if a later file has resolved it.');

export const problemRow = describeRow({
  id: column('stays', text, '17'),
  hash: hidden('stays'),
  problem: column('stays', problem, 'amount_differs'),
  file: column('typed', text, 'november.csv'),
  line: column('stays', line, 12),
  columnName: column('stays', unread, null),
  reference: column('stays', reference, 'svc_20261121a7f3'),
  kind: column('stays', kind, 'payment'),
  amount: column('stays', amount, 11_000),
  fee: column('stays', z.int().nullable(), 308),
  paidOutOn: column('stays', paidOutOn, '2026-11-25T00:00:00.000Z'),
  ledgerAmounts: hidden('stays'),
  svcUid: column('stays', svcUid, null),
  part: hidden('stays'),
  foundAt: column('stays', time, '2026-12-01T01:00:00.000Z'),
  resolvedAt: column('stays', resolvedAt, null),
  resolvedBy: column('typed', resolvedBy, null),
  resolutionNote: column('typed', text.nullable(), null),
} satisfies Lines<SettlementProblem>);
