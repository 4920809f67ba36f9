// Billing keys as a list of the operator pages: whose card each is, masked, in which state, and when it last paid.

import { z } from 'zod';
import { BillingKeyStatus } from '../../../generated/prisma/client';
import type { Context } from '../../platform/context';
import { textLine } from '../../platform/http/body-fields';
import { keysetQuery, ofBillingKey } from '../../platform/http/query';
import { findKeys, type KeyFilter } from './key-list-store';
import { listRoutes } from './operator-list';
import type { OperatorRoute } from './operator-page';

const STATUSES = Object.values(BillingKeyStatus);

/** UNIX milliseconds and the customer_uid of the last row. */
const CURSOR = /^(\d{1,14})-([\w.:-]{1,80})$/;

const keysQuery = z.object({
  member_id: textLine(64).optional(),
  customer_uid: ofBillingKey,
  status: z.enum(STATUSES).optional(),
  after: z.string().regex(CURSOR, 'must be the "next" of a page').optional(),
  limit: keysetQuery.limit,
});

export const KEY_ROUTES: OperatorRoute[] = listRoutes({
  place: 'keys',
  query: keysQuery,
  filters: [
    { name: 'member_id', kind: 'text' },
    { name: 'customer_uid', kind: 'text' },
    { name: 'status', kind: 'choice', choices: STATUSES },
  ],
  read: listKeys,
  columns: [
    { name: 'customer_uid', kind: 'id', value: (row) => row.customerUid },
    // Empty for an erased member.
    { name: 'member_id', kind: 'text', value: (row) => row.memberId || null },
    { name: 'status', kind: 'status', value: (row) => row.status },
    { name: 'card_name', kind: 'text', value: (row) => row.cardName },
    { name: 'card_number', kind: 'id', value: (row) => row.cardNumber },
    { name: 'created_at', kind: 'time', value: (row) => row.createdAt.toISOString() },
    { name: 'last_paid_at', kind: 'time', value: (row) => row.lastPaidAt?.toISOString() ?? null },
  ],
});

async function listKeys(context: Context, query: z.output<typeof keysQuery>) {
  const { member_id: memberId, customer_uid: customerUid, status, limit } = query;
  const filter = { memberId, customerUid, status, after: parseCursor(query.after) };
  const rows = await findKeys(context, filter, limit + 1);
  const list = rows.slice(0, limit);
  const last = rows.length > limit ? list.at(-1) : undefined;
  return { list, next: last ? `${last.createdAt.getTime()}-${last.customerUid}` : null };
}

function parseCursor(cursor: string | undefined): KeyFilter['after'] {
  const [, time, customerUid] = CURSOR.exec(cursor ?? '') ?? [];
  return time === undefined || customerUid === undefined
    ? undefined
    : { createdAt: new Date(Number(time)), customerUid };
}
