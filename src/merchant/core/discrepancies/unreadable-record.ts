// A record of the service that cannot be read in full (§2), or whose values the database refuses. It is never dropped: it
// becomes a discrepancy with its ids and its amount as they were shown, so that a person can refund it.

import type { ShownRecord } from '../../payment-service/records/shown-record';
import type { Context } from '../../platform/context';
import { DatabaseError } from '../../platform/errors';
import { comparedText, unreadableText, type Discrepancy } from './kinds';
import { recordDiscrepancies } from './report-discrepancy';
import type { NewDiscrepancy } from './store';

/** `reason` of a payment that cannot be verified because of its record. The service may repair it. */
export const RECORD_UNREADABLE = 'record_unreadable';

export function unreadableDiscrepancy({ amount, currency, status, fields }: ShownRecord): Discrepancy {
  const shown = [amount, currency, status].filter((each) => each !== null).join(' ');
  return {
    kind: 'needs_review',
    expected: comparedText('readable'),
    actual: unreadableText(shown || '-', fields),
  };
}

/** The values themselves are not shown: they are what the database cannot keep. */
export const refusedDiscrepancy = (sqlState: string): Discrepancy => ({
  kind: 'needs_review',
  expected: comparedText('storable'),
  actual: `SQLSTATE ${sqlState}`,
});

/**
 * Stores and reports what a list showed and could not be read, each once.
 * @throws DatabaseError
 */
export async function recordUnreadable(context: Context, records: readonly ShownRecord[]): Promise<void> {
  const found = records.map((shown): NewDiscrepancy => ({
    svcUid: shown.svcUid ?? '',
    merchantUid: shown.merchantUid ?? '',
    ...unreadableDiscrepancy(shown),
  }));
  try {
    await recordDiscrepancies(context, found);
  } catch (error) {
    if (!(error instanceof DatabaseError && error.refusesValue)) throw error;
    // The database has no such character.
    await recordDiscrepancies(
      context,
      found.map((each) => ({
        ...each,
        svcUid: inAscii(each.svcUid),
        merchantUid: inAscii(each.merchantUid),
        actual: each.actual && inAscii(each.actual),
      })),
    );
  }
}

const inAscii = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');
