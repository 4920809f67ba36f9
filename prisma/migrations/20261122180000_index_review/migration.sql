-- Indexes for tables of ten million rows: each has a statement that needs it, and none is written that nothing reads
-- (docs/performance/indexes.md). Code from before this migration can run after it. On large tables, build those of the
-- first part beforehand (docs/guides/upgrade.md): what is there already is left as it is.

-- One that was interrupted while it was built beforehand serves nothing, and would be taken for a good one.
DO $$
DECLARE invalid regclass;
BEGIN
  FOR invalid IN SELECT indexrelid::regclass FROM pg_index
    WHERE NOT indisvalid AND indrelid IN ('orders'::regclass, 'payments'::regclass, 'notifications'::regclass,
      'events'::regclass, 'charges'::regclass)
  LOOP
    EXECUTE format('DROP INDEX %s', invalid);
  END LOOP;
END $$;

-- GET /api/orders?status=…, in the order of changes: a rare status is found without a walk along all orders.
CREATE INDEX IF NOT EXISTS "orders_status_updated_at_merchant_uid_idx" ON "orders"("status", "updated_at", "merchant_uid");
-- Reconciliation: when the first order was registered.
CREATE INDEX IF NOT EXISTS "orders_created_at_idx" ON "orders"("created_at");
-- The erasure of a member. An order without a member has no entry.
CREATE INDEX IF NOT EXISTS "orders_of_member" ON "orders"("member_id") WHERE "member_id" IS NOT NULL;
-- The erasure of a member whose key has paid for orders that name nobody. Most payments are made with no key.
CREATE INDEX IF NOT EXISTS "payments_with_key" ON "payments"("customer_uid") WHERE "customer_uid" IS NOT NULL;
-- What is open, in the order of the list: GET /api/notifications?open=true, and the oldest one for /metrics.
CREATE INDEX IF NOT EXISTS "notifications_unsettled" ON "notifications"("id") WHERE "next_attempt_at" IS NOT NULL;
-- GET /api/notifications?outcome=…: what is rare is found without a walk past all that fitted, which has no entry.
CREATE INDEX IF NOT EXISTS "notifications_unusual" ON "notifications"("id") WHERE "outcome" NOT IN ('recorded', 'unchanged');
-- GET /api/events, and the deletion of old events. An event that has no place yet has no entry.
CREATE UNIQUE INDEX IF NOT EXISTS "events_placed" ON "events"("position") WHERE "position" IS NOT NULL;
-- One row for one difference. It begins with the payment, so that it also finds all of a payment.
CREATE UNIQUE INDEX IF NOT EXISTS "discrepancies_svc_uid_merchant_uid_kind_key" ON "discrepancies"("svc_uid", "merchant_uid", "kind");
-- GET /api/discrepancies?merchant_uid=…, and the erasure of a member.
CREATE INDEX IF NOT EXISTS "discrepancies_merchant_uid_idx" ON "discrepancies"("merchant_uid");
-- GET /api/discrepancies?from=…&to=…, and the deletion of old ones.
CREATE INDEX IF NOT EXISTS "discrepancies_last_seen_at_idx" ON "discrepancies"("last_seen_at");
-- GET /api/discrepancies?open=true, and their number for /metrics.
CREATE INDEX IF NOT EXISTS "discrepancies_open" ON "discrepancies"("id") WHERE "resolved_at" IS NULL;
-- A discrepancy is deleted: its refunds are looked for. Most refunds have none.
CREATE INDEX IF NOT EXISTS "refunds_of_discrepancy" ON "refunds"("discrepancy_id") WHERE "discrepancy_id" IS NOT NULL;
-- GET /api/charges?svc_uid=…
CREATE INDEX IF NOT EXISTS "charges_of_payment" ON "charges"("svc_uid") WHERE "svc_uid" IS NOT NULL;

-- drops: only indexes; those above serve every statement that needs one, and statements of the version before become slower
-- at most
DROP INDEX IF EXISTS "orders_status_created_at_idx";
DROP INDEX IF EXISTS "orders_member_id_created_at_idx";
DROP INDEX IF EXISTS "payments_customer_uid_idx";
DROP INDEX IF EXISTS "payments_status_updated_at_idx";
DROP INDEX IF EXISTS "notifications_open";
DROP INDEX IF EXISTS "events_position_key";
DROP INDEX IF EXISTS "events_occurred_at_idx";
DROP INDEX IF EXISTS "discrepancies_kind_svc_uid_merchant_uid_key";
DROP INDEX IF EXISTS "discrepancies_resolved_at_last_seen_at_idx";
DROP INDEX IF EXISTS "refunds_discrepancy_id_idx";
