// What a notification is (§6.4) and what can come of it (contract §4).

import type { Claim } from './judge-payment';

export type Generation = 'legacy' | 'newer';

export type NotificationOutcome =
  | 'recorded'
  | 'unchanged'
  | 'test'
  | 'queued'
  | 'amount_mismatch'
  | 'currency_mismatch'
  | 'order_mismatch'
  | 'unknown_order'
  | 'unknown_payment';

/** A body that was read: ids of both generations under the legacy names, and a status word that nobody believes. */
export type Notification = Claim & { generation: Generation; claimedStatus: string | null };

export type IncomingNotification = Notification & { sourceAddress: string; receivedAt: Date };

/** The address from which the service's test button sends (§6.3). */
export const TEST_BUTTON_ADDRESS = '52.78.5.241';
