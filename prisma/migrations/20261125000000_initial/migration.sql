-- Every table of the merchant. The first part is what Prisma makes of schema.prisma; the second is what it cannot say.

-- CreateEnum
CREATE TYPE "billing_key_status" AS ENUM ('pending', 'active', 'failed', 'needs_review', 'removing', 'removed');

-- CreateEnum
CREATE TYPE "issuance_status" AS ENUM ('pending', 'issued', 'declined', 'unknown', 'needs_review');

-- CreateEnum
CREATE TYPE "order_status" AS ENUM ('open', 'awaiting_deposit', 'paid', 'partially_cancelled', 'cancelled', 'failed', 'closed');

-- CreateEnum
CREATE TYPE "payment_status" AS ENUM ('ready', 'paid', 'cancelled', 'failed');

-- CreateEnum
CREATE TYPE "generation" AS ENUM ('legacy', 'newer');

-- CreateEnum
CREATE TYPE "notification_outcome" AS ENUM ('recorded', 'unchanged', 'test', 'queued', 'amount_mismatch', 'currency_mismatch', 'order_mismatch', 'unknown_order', 'unknown_payment');

-- CreateEnum
CREATE TYPE "discrepancy_kind" AS ENUM ('amount_mismatch', 'currency_mismatch', 'order_mismatch', 'unknown_order', 'unknown_payment', 'duplicate_payment', 'paid_after_close', 'status_went_back', 'foreign_billing_key', 'needs_review');

-- CreateEnum
CREATE TYPE "discrepancy_resolution" AS ENUM ('accepted', 'refunded', 'ignored');

-- CreateEnum
CREATE TYPE "subscription_interval" AS ENUM ('day', 'week', 'month', 'year');

-- CreateEnum
CREATE TYPE "subscription_status" AS ENUM ('active', 'past_due', 'cancelled', 'ended');

-- CreateEnum
CREATE TYPE "event_target" AS ENUM ('handler', 'url');

-- CreateEnum
CREATE TYPE "reconciled_list" AS ENUM ('ready', 'paid', 'cancelled', 'failed', 'schedules');

-- CreateEnum
CREATE TYPE "charge_kind" AS ENUM ('again', 'onetime', 'schedule');

-- CreateEnum
CREATE TYPE "charge_status" AS ENUM ('pending', 'unknown', 'scheduled', 'paid', 'failed', 'refused', 'not_executed', 'revoked', 'needs_review');

-- CreateEnum
CREATE TYPE "refund_status" AS ENUM ('pending', 'unknown', 'refunded', 'refused', 'not_executed', 'needs_review');

-- CreateEnum
CREATE TYPE "note_subject" AS ENUM ('discrepancy', 'charge', 'refund', 'issuance');

-- CreateTable
CREATE TABLE "billing_keys" (
    "customer_uid" VARCHAR(80) NOT NULL,
    "member_id" VARCHAR(64) NOT NULL,
    "status" "billing_key_status" NOT NULL,
    "card_number" VARCHAR(32),
    "card_name" VARCHAR(64),
    "card_code" VARCHAR(16),
    "card_type" VARCHAR(8),
    "pg_provider" VARCHAR(16),
    "service_updated_at" BIGINT,
    "removing_since" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "billing_keys_pkey" PRIMARY KEY ("customer_uid")
);

-- CreateTable
CREATE TABLE "billing_key_issuances" (
    "id" BIGSERIAL NOT NULL,
    "customer_uid" VARCHAR(80) NOT NULL,
    "form_nonce" VARCHAR(64) NOT NULL,
    "replaces_key" BOOLEAN NOT NULL,
    "status" "issuance_status" NOT NULL,
    "card_last_four" CHAR(4) NOT NULL,
    "reason" VARCHAR(200),
    "terms_version" VARCHAR(32) NOT NULL,
    "privacy_version" VARCHAR(32) NOT NULL,
    "consented_at" TIMESTAMPTZ(3) NOT NULL,
    "polls" INTEGER NOT NULL DEFAULT 0,
    "not_found_polls" INTEGER NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),
    "settled_by" VARCHAR(64),
    "settle_note" VARCHAR(500),

    CONSTRAINT "billing_key_issuances_pkey" PRIMARY KEY ("id")
);

-- CreateTable
-- Unlogged: counts of card attempts, which a crash of PostgreSQL may forget.
CREATE UNLOGGED TABLE "card_limits" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "card_limits_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "orders" (
    "merchant_uid" VARCHAR(64) NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "amount" BIGINT NOT NULL,
    "currency" VARCHAR(3) NOT NULL,
    "member_id" VARCHAR(64),
    "card_quota" SMALLINT,
    "tax_free" BIGINT,
    "buyer_name" VARCHAR(16),
    "buyer_email" VARCHAR(64),
    "buyer_tel" VARCHAR(16),
    "buyer_addr" VARCHAR(128),
    "buyer_postcode" VARCHAR(8),
    "custom_data" VARCHAR(2000),
    "status" "order_status" NOT NULL DEFAULT 'open',
    "version" INTEGER NOT NULL DEFAULT 0,
    "erased_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "orders_pkey" PRIMARY KEY ("merchant_uid")
);

-- CreateTable
CREATE TABLE "subscriptions" (
    "subscription_id" VARCHAR(32) NOT NULL,
    "customer_uid" VARCHAR(80) NOT NULL,
    "member_id" VARCHAR(64) NOT NULL,
    "name" VARCHAR(40) NOT NULL,
    "amount" BIGINT NOT NULL,
    "currency" VARCHAR(3) NOT NULL,
    "interval" "subscription_interval" NOT NULL,
    "first_payment_at" TIMESTAMPTZ(3) NOT NULL,
    "status" "subscription_status" NOT NULL DEFAULT 'active',
    "cycle" INTEGER NOT NULL DEFAULT 1,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "payment_at" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,
    "end_reason" VARCHAR(40),
    "check_at" TIMESTAMPTZ(3) NOT NULL,
    "claimed_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "subscriptions_pkey" PRIMARY KEY ("subscription_id")
);

-- CreateTable
CREATE TABLE "events" (
    "id" BIGSERIAL NOT NULL,
    "stream" VARCHAR(64) NOT NULL,
    "version" INTEGER NOT NULL,
    "type" VARCHAR(40) NOT NULL,
    "data" JSONB NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "position" BIGINT,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event_deliveries" (
    "event_id" BIGINT NOT NULL,
    "target" "event_target" NOT NULL,
    "stream" VARCHAR(64) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "reason" VARCHAR(40),

    CONSTRAINT "event_deliveries_pkey" PRIMARY KEY ("event_id","target")
);

-- CreateTable
CREATE TABLE "payments" (
    "svc_uid" VARCHAR(64) NOT NULL,
    "merchant_uid" VARCHAR(64) NOT NULL,
    "status" "payment_status" NOT NULL,
    "amount" BIGINT NOT NULL,
    "cancel_amount" BIGINT NOT NULL DEFAULT 0,
    "currency" VARCHAR(3) NOT NULL,
    "pay_method" VARCHAR(32),
    "pg_provider" VARCHAR(32),
    "pg_tid" VARCHAR(64),
    "apply_num" VARCHAR(20),
    "card_name" VARCHAR(64),
    "card_number" VARCHAR(32),
    "customer_uid" VARCHAR(80),
    "fail_reason" VARCHAR(500),
    "cancel_reason" VARCHAR(256),
    "receipt_url" VARCHAR(500),
    "started_at" TIMESTAMPTZ(3),
    "paid_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    "cancelled_at" TIMESTAMPTZ(3),
    "vbank_code" VARCHAR(16),
    "vbank_name" VARCHAR(64),
    "vbank_num" VARCHAR(32),
    "vbank_holder" VARCHAR(64),
    "vbank_date" TIMESTAMPTZ(3),
    "record" JSONB NOT NULL,
    "counted" BOOLEAN NOT NULL DEFAULT true,
    "fetched_at" TIMESTAMPTZ(3) NOT NULL,
    "went_back_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payments_pkey" PRIMARY KEY ("svc_uid")
);

-- CreateTable
CREATE TABLE "notifications" (
    "id" BIGSERIAL NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "generation" "generation" NOT NULL,
    "svc_uid" VARCHAR(64) NOT NULL,
    "merchant_uid" VARCHAR(64) NOT NULL,
    "claimed_status" VARCHAR(64),
    "source_address" VARCHAR(45) NOT NULL,
    "request_id" UUID,
    "outcome" "notification_outcome",
    "reason" VARCHAR(64),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "judged_at" TIMESTAMPTZ(3),
    "next_attempt_at" TIMESTAMPTZ(3),

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "discrepancies" (
    "id" BIGSERIAL NOT NULL,
    "kind" "discrepancy_kind" NOT NULL,
    "svc_uid" VARCHAR(64) NOT NULL,
    "merchant_uid" VARCHAR(64) NOT NULL,
    "expected" VARCHAR(200),
    "actual" VARCHAR(200),
    "times_seen" INTEGER NOT NULL DEFAULT 1,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),
    "resolution" "discrepancy_resolution",
    "resolved_by" VARCHAR(64),
    "resolution_note" VARCHAR(500),

    CONSTRAINT "discrepancies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reconciliation_positions" (
    "list" "reconciled_list" NOT NULL,
    "compared_to" TIMESTAMPTZ(3) NOT NULL,
    "looked_back_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reconciliation_positions_pkey" PRIMARY KEY ("list")
);

-- CreateTable
CREATE TABLE "reconciliation_runs" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "finished_at" TIMESTAMPTZ(3) NOT NULL,
    "complete_at" TIMESTAMPTZ(3),

    CONSTRAINT "reconciliation_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reconciliation_differences" (
    "svc_uid" VARCHAR(64) NOT NULL,
    "merchant_uid" VARCHAR(64) NOT NULL,
    "listed" VARCHAR(200) NOT NULL,
    "order_version" INTEGER,
    "outcome" "notification_outcome" NOT NULL,
    "reason" VARCHAR(64),
    "attempts" INTEGER NOT NULL DEFAULT 1,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "next_attempt_at" TIMESTAMPTZ(3),

    CONSTRAINT "reconciliation_differences_pkey" PRIMARY KEY ("svc_uid")
);

-- CreateTable
CREATE TABLE "charges" (
    "id" VARCHAR(32) NOT NULL,
    "merchant_uid" VARCHAR(64) NOT NULL,
    "kind" "charge_kind" NOT NULL,
    "customer_uid" VARCHAR(80),
    "schedule_at" TIMESTAMPTZ(3),
    "status" "charge_status" NOT NULL,
    "svc_uid" VARCHAR(64),
    "reason" VARCHAR(200),
    "polls" INTEGER NOT NULL DEFAULT 0,
    "not_found_polls" INTEGER NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),
    "settled_by" VARCHAR(64),
    "settle_note" VARCHAR(500),

    CONSTRAINT "charges_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "refunds" (
    "id" BIGSERIAL NOT NULL,
    "svc_uid" VARCHAR(64) NOT NULL,
    "discrepancy_id" BIGINT,
    "amount" BIGINT NOT NULL,
    "cancelled_before" BIGINT NOT NULL,
    "cancel_reason" VARCHAR(256) NOT NULL,
    "status" "refund_status" NOT NULL,
    "reason" VARCHAR(200),
    "polls" INTEGER NOT NULL DEFAULT 0,
    "not_found_polls" INTEGER NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),
    "requested_by" VARCHAR(64),
    "settled_by" VARCHAR(64),
    "settle_note" VARCHAR(500),

    CONSTRAINT "refunds_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notes" (
    "id" BIGSERIAL NOT NULL,
    "subject" "note_subject" NOT NULL,
    "subject_id" VARCHAR(32) NOT NULL,
    "written_by" VARCHAR(64) NOT NULL,
    "text" VARCHAR(500) NOT NULL,
    "written_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "erasures" (
    "id" BIGSERIAL NOT NULL,
    "member_id" VARCHAR(64),
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "next_attempt_at" TIMESTAMPTZ(3),
    "to_check" JSONB NOT NULL,

    CONSTRAINT "erasures_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "service_pauses" (
    "line" VARCHAR(16) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "service_pauses_pkey" PRIMARY KEY ("line")
);

-- CreateIndex
CREATE INDEX "billing_keys_member_id_created_at_idx" ON "billing_keys"("member_id", "created_at");

-- CreateIndex
CREATE INDEX "billing_keys_created_at_idx" ON "billing_keys"("created_at");

-- CreateIndex
CREATE INDEX "billing_keys_status_created_at_idx" ON "billing_keys"("status", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "billing_key_issuances_form_nonce_key" ON "billing_key_issuances"("form_nonce");

-- CreateIndex
CREATE INDEX "billing_key_issuances_customer_uid_started_at_idx" ON "billing_key_issuances"("customer_uid", "started_at");

-- CreateIndex
CREATE INDEX "billing_key_issuances_status_id_idx" ON "billing_key_issuances"("status", "id");

-- CreateIndex
CREATE INDEX "orders_status_updated_at_merchant_uid_idx" ON "orders"("status", "updated_at", "merchant_uid");

-- CreateIndex
CREATE INDEX "orders_created_at_idx" ON "orders"("created_at");

-- CreateIndex
CREATE INDEX "orders_updated_at_merchant_uid_idx" ON "orders"("updated_at", "merchant_uid");

-- CreateIndex
CREATE INDEX "subscriptions_member_id_idx" ON "subscriptions"("member_id");

-- CreateIndex
CREATE UNIQUE INDEX "events_stream_version_key" ON "events"("stream", "version");

-- CreateIndex
CREATE INDEX "payments_merchant_uid_idx" ON "payments"("merchant_uid");

-- CreateIndex
CREATE INDEX "notifications_svc_uid_idx" ON "notifications"("svc_uid");

-- CreateIndex
CREATE INDEX "notifications_merchant_uid_idx" ON "notifications"("merchant_uid");

-- CreateIndex
CREATE INDEX "notifications_received_at_idx" ON "notifications"("received_at");

-- CreateIndex
CREATE INDEX "discrepancies_merchant_uid_idx" ON "discrepancies"("merchant_uid");

-- CreateIndex
CREATE INDEX "discrepancies_last_seen_at_idx" ON "discrepancies"("last_seen_at");

-- CreateIndex
CREATE UNIQUE INDEX "discrepancies_svc_uid_merchant_uid_kind_key" ON "discrepancies"("svc_uid", "merchant_uid", "kind");

-- CreateIndex
CREATE INDEX "charges_merchant_uid_started_at_idx" ON "charges"("merchant_uid", "started_at");

-- CreateIndex
CREATE INDEX "charges_customer_uid_idx" ON "charges"("customer_uid");

-- CreateIndex
CREATE INDEX "charges_started_at_id_idx" ON "charges"("started_at", "id");

-- CreateIndex
CREATE INDEX "charges_status_started_at_id_idx" ON "charges"("status", "started_at", "id");

-- CreateIndex
CREATE INDEX "refunds_svc_uid_started_at_idx" ON "refunds"("svc_uid", "started_at");

-- CreateIndex
CREATE INDEX "refunds_status_id_idx" ON "refunds"("status", "id");

-- CreateIndex
CREATE INDEX "notes_subject_subject_id_id_idx" ON "notes"("subject", "subject_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "erasures_member_id_key" ON "erasures"("member_id");

-- AddForeignKey
ALTER TABLE "billing_key_issuances" ADD CONSTRAINT "billing_key_issuances_customer_uid_fkey" FOREIGN KEY ("customer_uid") REFERENCES "billing_keys"("customer_uid") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event_deliveries" ADD CONSTRAINT "event_deliveries_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "events"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_merchant_uid_fkey" FOREIGN KEY ("merchant_uid") REFERENCES "orders"("merchant_uid") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "charges" ADD CONSTRAINT "charges_merchant_uid_fkey" FOREIGN KEY ("merchant_uid") REFERENCES "orders"("merchant_uid") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_discrepancy_id_fkey" FOREIGN KEY ("discrepancy_id") REFERENCES "discrepancies"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- What Prisma's schema cannot say: sequences, checks, and indexes of some rows only.

-- The place of an event in the log. It is given when the event is published, not when it is written.
CREATE SEQUENCE "events_position_seq" OWNED BY "events"."position";
-- The number below which no version of an event is given any more: versions that were told before a restore are not used
-- again. 0 until `npm run restored` has been run.
CREATE SEQUENCE "event_version_floor" AS INTEGER MINVALUE 0 START 0;

-- Orders and payments
ALTER TABLE "orders" ADD CONSTRAINT "orders_amount_positive" CHECK ("amount" > 0);
-- The erasure of a member. An order without a member has no entry.
CREATE INDEX "orders_of_member" ON "orders"("member_id") WHERE "member_id" IS NOT NULL;
ALTER TABLE "payments" ADD CONSTRAINT "payments_amount_not_negative" CHECK ("amount" >= 0);
ALTER TABLE "payments" ADD CONSTRAINT "payments_cancel_amount_in_range" CHECK ("cancel_amount" BETWEEN 0 AND "amount");
-- The erasure of a member whose key has paid for orders that name nobody. Most payments are made with no key.
CREATE INDEX "payments_with_key" ON "payments"("customer_uid") WHERE "customer_uid" IS NOT NULL;

-- Billing keys: at most one issuance of a key whose outcome is open
CREATE UNIQUE INDEX "billing_key_issuances_one_unresolved" ON "billing_key_issuances"("customer_uid")
  WHERE "status" IN ('pending', 'unknown');
-- Declined cards whose digits are blanked in time.
CREATE INDEX "billing_key_issuances_digits" ON "billing_key_issuances"("resolved_at")
  WHERE "status" = 'declined' AND "card_last_four" <> '****';
-- Removals that were not finished.
CREATE INDEX "billing_keys_removing" ON "billing_keys"("updated_at") WHERE "status" = 'removing';

-- Charges: at most one unsettled charge of an order
CREATE UNIQUE INDEX "charges_one_unsettled" ON "charges"("merchant_uid")
  WHERE "status" IN ('pending', 'unknown', 'scheduled', 'needs_review');
ALTER TABLE "charges" ADD CONSTRAINT "charges_schedule_at_if_scheduled"
  CHECK (("kind" = 'schedule') = ("schedule_at" IS NOT NULL));
-- Scheduled payments whose time has come.
CREATE INDEX "charges_scheduled" ON "charges"("schedule_at") WHERE "status" = 'scheduled';
-- GET /api/charges?svc_uid=…
CREATE INDEX "charges_of_payment" ON "charges"("svc_uid") WHERE "svc_uid" IS NOT NULL;

-- Refunds: at most one unsettled refund of a payment
CREATE UNIQUE INDEX "refunds_one_unsettled" ON "refunds"("svc_uid")
  WHERE "status" IN ('pending', 'unknown', 'needs_review');
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_amount_positive" CHECK ("amount" > 0);
-- A discrepancy is deleted: its refunds are looked for. Most refunds have none.
CREATE INDEX "refunds_of_discrepancy" ON "refunds"("discrepancy_id") WHERE "discrepancy_id" IS NOT NULL;

-- Notifications that are due, the longest due first: those of one generation, because a host that hangs must not keep the
-- other waiting; and apart from those that are paced, because of these there may be far more.
CREATE INDEX "notifications_due" ON "notifications"("generation", "next_attempt_at")
  WHERE "next_attempt_at" IS NOT NULL AND "reason" IS DISTINCT FROM 'paced';
CREATE INDEX "notifications_paced" ON "notifications"("next_attempt_at")
  WHERE "next_attempt_at" IS NOT NULL AND "reason" = 'paced';
-- What is open, in the order of the list: GET /api/notifications?open=true, and the oldest one for /metrics.
CREATE INDEX "notifications_unsettled" ON "notifications"("id") WHERE "next_attempt_at" IS NOT NULL;
-- GET /api/notifications?outcome=…: what is rare is found without a walk past all that fitted, which has no entry.
CREATE INDEX "notifications_unusual" ON "notifications"("id") WHERE "outcome" NOT IN ('recorded', 'unchanged');

-- Discrepancies
-- GET /api/discrepancies?open=true, and their number for /metrics.
CREATE INDEX "discrepancies_open" ON "discrepancies"("id") WHERE "resolved_at" IS NULL;
-- What was settled lately, for the chart of open discrepancies.
CREATE INDEX "discrepancies_settled" ON "discrepancies"("resolved_at") WHERE "resolved_at" IS NOT NULL;

-- Events and their deliveries
CREATE INDEX "events_unpublished" ON "events"("id") WHERE "position" IS NULL;
-- GET /api/events, and the deletion of old events. An event that has no place yet has no entry.
CREATE UNIQUE INDEX "events_placed" ON "events"("position") WHERE "position" IS NOT NULL;
-- What is due, the longest due first; and the oldest that waits in each stream.
CREATE INDEX "event_deliveries_in_order" ON "event_deliveries"("next_attempt_at", "event_id")
  WHERE "next_attempt_at" IS NOT NULL;
CREATE INDEX "event_deliveries_in_stream" ON "event_deliveries"("stream", "target", "event_id")
  WHERE "next_attempt_at" IS NOT NULL;
-- What a target has not taken, also what was given up.
CREATE INDEX "event_deliveries_undelivered" ON "event_deliveries"("event_id") WHERE "delivered_at" IS NULL;

-- Subscriptions
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_amount_positive" CHECK ("amount" > 0);
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_cycle_positive" CHECK ("cycle" > 0);
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_reason_if_over"
  CHECK (("status" IN ('cancelled', 'ended')) = ("end_reason" IS NOT NULL));
CREATE INDEX "subscriptions_due" ON "subscriptions"("check_at") WHERE "status" IN ('active', 'past_due');

-- Erasures
ALTER TABLE "erasures" ADD CONSTRAINT "erasures_member_until_finished"
  CHECK (("member_id" IS NULL) = ("finished_at" IS NOT NULL));
ALTER TABLE "erasures" ADD CONSTRAINT "erasures_due_until_finished"
  CHECK (("next_attempt_at" IS NULL) = ("finished_at" IS NOT NULL));
CREATE INDEX "erasures_due" ON "erasures"("next_attempt_at") WHERE "next_attempt_at" IS NOT NULL;

-- Reconciliation: one row that says when it last came to its end
ALTER TABLE "reconciliation_runs" ADD CONSTRAINT "reconciliation_runs_one_row" CHECK ("id" = 1);
