// The table of charges: one attempt to take money for an order in each row.

import { z } from 'zod';
import { ChargeKind, ChargeStatus, type Charge } from '../../../generated/prisma/client';
import { column, describeRow, text, time, type Lines } from '../../platform/row';
import { ATTEMPT_LINES } from '../attempts/row';

const payment = text.nullable().describe('Its payment, as soon as it is known.');

export const chargeRow = describeRow({
  id: column('stays', text, 'boeeplloabnegohaljcanogkfmaldfaj', { detail: 'id' }),
  merchantUid: column('stays', text, 'order-1005', 'order'),
  kind: column('stays', z.enum(ChargeKind), 'again', 'status'),
  customerUid: column('stays', text.nullable(), 'member-7-card-1', 'key'),
  scheduleAt: column('stays', time.nullable(), null, 'time'),
  status: column('stays', z.enum(ChargeStatus), 'not_executed', 'status'),
  svcUid: column('stays', payment, null, 'payment'),
  ...ATTEMPT_LINES,
} satisfies Lines<Charge>);
