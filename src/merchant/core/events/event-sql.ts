// Parts of the statements that write events: what only other relations know.

/**
 * Our refund that has caused the change of a payment: the one that is open (a payment has one at most), if it explains the
 * change to the unit. The settlement of a refund decides by the same amounts. Null where nothing of ours does: such as for
 * one that was made at the service's console, or together with one.
 * @param change an alias with svc_uid, cancel_amount, refunded_before and refunded
 */
export const refundOf = (change: string) => `(
  select r.id::text from refunds r
  where r.svc_uid = ${change}.svc_uid and r.status in ('pending', 'unknown')
    and r.cancelled_before + r.amount = ${change}.cancel_amount
    and r.amount = ${change}.refunded - ${change}.refunded_before)`;

/**
 * The subscription whose cycle an order pays for (`{subscription_id}-{cycle}`); null where there is none. An order of that
 * name over something else is not of the plan.
 * @param order an alias with merchant_uid, amount and currency
 */
export const subscriptionOf = (order: string) => `(
  select s.subscription_id from subscriptions s
  where s.subscription_id = substring(${order}.merchant_uid from '^(.+)-[1-9][0-9]{0,6}$')
    and substring(${order}.merchant_uid from '-([1-9][0-9]{0,6})$')::int <= s.cycle
    and s.amount = ${order}.amount and s.currency = ${order}.currency)`;

/**
 * The version before the next one: that of the row, or the floor of a restore. A row that was restored, or registered anew
 * after that, has versions that were told before (restore-store.ts).
 * @param row an alias with version
 */
export const versionBefore = (row: string) =>
  `greatest(${row}.version, (select last_value from event_version_floor)::int)`;
