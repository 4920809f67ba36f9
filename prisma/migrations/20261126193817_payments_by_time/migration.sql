-- The operators' list of payments, by the time at which money moved: all, and those of one status.
CREATE INDEX "payments_by_time" ON "payments"((coalesce("paid_at", "created_at")), "svc_uid");
CREATE INDEX "payments_by_status" ON "payments"("status", (coalesce("paid_at", "created_at")), "svc_uid");
-- drops: the overview reads refunds as the ledger does, by payments_refunded; that of the version before is slower
DROP INDEX "payments_cancelled";
