// The table of refunds.

import { z } from 'zod';
import { RefundStatus, type Refund } from '../../../generated/prisma/client';
import { column, count, describeRow, text, type Lines } from '../../platform/row';
import { ATTEMPT_LINES } from '../attempts/row';

const discrepancy = text
  .nullable()
  .describe('The discrepancy that this refund resolves; null for a refund by svc_uid.');
const amount = z
  .int()
  .positive()
  .nullable()
  .describe('Null if the service showed no whole amount: all that the payment held was then to be refunded.');
const taxFree = count.nullable().describe('The tax-free part of the amount; null if it was not given.');
const currency = text.nullable().describe('Null if the service did not say it.');
const before = count.describe('The cancelled amount before this refund.');

export const refundRow = describeRow({
  id: column('stays', text, '17', { detail: 'id' }),
  svcUid: column('stays', text, 'svc_20261121a7f3', 'payment'),
  discrepancyId: column('stays', discrepancy, null),
  amount: column('stays', amount, 4_000, 'amount'),
  taxFree: column('stays', taxFree, null, { detail: 'amount' }),
  currency: column('stays', currency, 'KRW', { detail: 'text' }),
  cancelledBefore: column('stays', before, 0, { detail: 'amount' }),
  cancelReason: column('typed', text, 'One of three was broken', 'text'),
  requestedBy: column('typed', text.nullable(), null, 'text'),
  status: column('stays', z.enum(RefundStatus), 'not_executed', 'status'),
  ...ATTEMPT_LINES,
} satisfies Lines<Refund>);
