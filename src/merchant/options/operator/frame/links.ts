// Ids on the operator pages: each leads to the page of its thing, and a long one is shown short.

import { isCustomerUid, isMerchantUid, isSvcUid } from '../../../payment-service/identifiers';
import type { ColumnKind } from '../../../platform/operator-records';

const ANY = (id: string) => id.trim() !== '';

/** The pages by kind, and which ids have one: a notification can name anything. */
const PAGES: Partial<Record<ColumnKind, { path: string; isId: (id: string) => boolean }>> = {
  order: { path: 'orders', isId: isMerchantUid },
  payment: { path: 'payments', isId: isSvcUid },
  member: { path: 'members', isId: ANY },
  key: { path: 'keys', isId: isCustomerUid },
  discrepancy: { path: 'desk/discrepancies', isId: ANY },
};

/** What has a page, by its list. */
const SUBJECTS: Readonly<Record<string, ColumnKind>> = {
  orders: 'order',
  payments: 'payment',
  discrepancies: 'discrepancy',
};

/**
 * The page of a thing; null if there is none.
 * @param of the `place` of a record or a subject
 */
export function hrefOf(kind: ColumnKind, id: string | number, of = ''): string | null {
  if (kind === 'record') return `/operator/${of}/${encodeURIComponent(id)}`;
  if (kind === 'subject') return hrefOf(SUBJECTS[of] ?? 'text', id);
  const page = PAGES[kind];
  return page?.isId(String(id)) ? `/operator/${page.path}/${encodeURIComponent(id)}` : null;
}

const LONGEST_ID = 20;

/** Both ends of a long id. The page that it leads to, and the title of the link, have all of it. */
export function shortId(id: string): string {
  return id.length > LONGEST_ID ? `${id.slice(0, 12)}…${id.slice(-5)}` : id;
}
