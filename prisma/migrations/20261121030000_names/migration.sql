-- One word for one thing: reconciliation (was sweep), refund (was cancellation), scheduled (was planned), attempts and
-- polls (were checks, lookups, misses). Nothing but names changes. Code from before this migration cannot run after it.

ALTER TABLE "notifications" RENAME COLUMN "checks" TO "attempts";
ALTER TABLE "notifications" RENAME COLUMN "next_check_at" TO "next_attempt_at";

ALTER TABLE "billing_key_issuances" RENAME COLUMN "lookups" TO "polls";
ALTER TABLE "billing_key_issuances" RENAME COLUMN "misses" TO "not_found_polls";

ALTER TABLE "charges" RENAME COLUMN "lookups" TO "polls";
ALTER TABLE "charges" RENAME COLUMN "misses" TO "not_found_polls";
ALTER TYPE "charge_status" RENAME VALUE 'planned' TO 'scheduled';
ALTER TABLE "charges" RENAME CONSTRAINT "charges_schedule_at_if_planned" TO "charges_schedule_at_if_scheduled";

ALTER TYPE "cancellation_status" RENAME TO "refund_status";
ALTER TYPE "refund_status" RENAME VALUE 'done' TO 'refunded';
ALTER TABLE "cancellations" RENAME TO "refunds";
ALTER SEQUENCE "cancellations_id_seq" RENAME TO "refunds_id_seq";
ALTER TABLE "refunds" RENAME COLUMN "lookups" TO "polls";
ALTER TABLE "refunds" RENAME COLUMN "misses" TO "not_found_polls";
ALTER TABLE "refunds" RENAME CONSTRAINT "cancellations_pkey" TO "refunds_pkey";
ALTER TABLE "refunds" RENAME CONSTRAINT "cancellations_svc_uid_fkey" TO "refunds_svc_uid_fkey";
ALTER TABLE "refunds" RENAME CONSTRAINT "cancellations_amount_positive" TO "refunds_amount_positive";
ALTER INDEX "cancellations_svc_uid_started_at_idx" RENAME TO "refunds_svc_uid_started_at_idx";
ALTER INDEX "cancellations_one_unsettled" RENAME TO "refunds_one_unsettled";

ALTER TYPE "swept_list" RENAME TO "reconciled_list";
ALTER TABLE "sweep_positions" RENAME TO "reconciliation_positions";
ALTER TABLE "reconciliation_positions" RENAME COLUMN "swept_to" TO "compared_to";
ALTER TABLE "reconciliation_positions" RENAME CONSTRAINT "sweep_positions_pkey" TO "reconciliation_positions_pkey";
ALTER TABLE "sweep_differences" RENAME TO "reconciliation_differences";
ALTER TABLE "reconciliation_differences" RENAME COLUMN "checks" TO "attempts";
ALTER TABLE "reconciliation_differences" RENAME COLUMN "next_check_at" TO "next_attempt_at";
ALTER TABLE "reconciliation_differences" RENAME CONSTRAINT "sweep_differences_pkey" TO "reconciliation_differences_pkey";

-- Jobs under their old names would wait for ever. What is open stands in our own rows, from which new jobs are made.
DO $$
BEGIN
  IF to_regclass('graphile_worker.jobs') IS NOT NULL THEN
    PERFORM graphile_worker.complete_jobs(ARRAY(SELECT id FROM graphile_worker.jobs WHERE task_identifier IN (
      'check-payment', 'check-open-notifications', 'resolve-issuance', 'resolve-open-issuances', 'resolve-charge',
      'resolve-open-charges', 'resolve-cancellation', 'resolve-open-cancellations', 'sweep')));
  END IF;
END
$$;
