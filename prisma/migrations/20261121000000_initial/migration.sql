-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "billing_key_status" AS ENUM ('pending', 'active', 'failed', 'needs_review', 'removing', 'removed');

-- CreateEnum
CREATE TYPE "issuance_status" AS ENUM ('pending', 'issued', 'declined', 'unknown', 'needs_review');

-- CreateEnum
CREATE TYPE "order_status" AS ENUM ('open', 'awaiting_deposit', 'paid', 'partially_cancelled', 'cancelled', 'failed');

-- CreateEnum
CREATE TYPE "payment_status" AS ENUM ('ready', 'paid', 'cancelled', 'failed');

-- CreateEnum
CREATE TYPE "generation" AS ENUM ('legacy', 'newer');

-- CreateEnum
CREATE TYPE "notification_outcome" AS ENUM ('recorded', 'unchanged', 'test', 'queued', 'amount_mismatch', 'currency_mismatch', 'order_mismatch', 'unknown_order', 'unknown_payment');

-- CreateEnum
CREATE TYPE "discrepancy_kind" AS ENUM ('amount_mismatch', 'currency_mismatch', 'order_mismatch', 'unknown_order', 'unknown_payment', 'duplicate_payment', 'paid_after_close', 'status_went_back', 'foreign_billing_key', 'needs_review');

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
    "lookups" INTEGER NOT NULL DEFAULT 0,
    "misses" INTEGER NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),

    CONSTRAINT "billing_key_issuances_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "orders" (
    "merchant_uid" VARCHAR(64) NOT NULL,
    "name" VARCHAR(255) NOT NULL,
    "amount" BIGINT NOT NULL,
    "currency" VARCHAR(3) NOT NULL,
    "member_id" VARCHAR(64),
    "status" "order_status" NOT NULL DEFAULT 'open',
    "version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "orders_pkey" PRIMARY KEY ("merchant_uid")
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
    "record" JSONB NOT NULL,
    "counted" BOOLEAN NOT NULL DEFAULT true,
    "fetched_at" TIMESTAMPTZ(3) NOT NULL,
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
    "outcome" "notification_outcome",
    "reason" VARCHAR(64),
    "checks" INTEGER NOT NULL DEFAULT 0,
    "judged_at" TIMESTAMPTZ(3),
    "next_check_at" TIMESTAMPTZ(3),

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

    CONSTRAINT "discrepancies_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "billing_keys_member_id_created_at_idx" ON "billing_keys"("member_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "billing_key_issuances_form_nonce_key" ON "billing_key_issuances"("form_nonce");

-- CreateIndex
CREATE INDEX "billing_key_issuances_customer_uid_started_at_idx" ON "billing_key_issuances"("customer_uid", "started_at");

-- CreateIndex
CREATE INDEX "orders_status_created_at_idx" ON "orders"("status", "created_at");

-- CreateIndex
CREATE INDEX "orders_member_id_created_at_idx" ON "orders"("member_id", "created_at");

-- CreateIndex
CREATE INDEX "payments_merchant_uid_idx" ON "payments"("merchant_uid");

-- CreateIndex
CREATE INDEX "payments_customer_uid_idx" ON "payments"("customer_uid");

-- CreateIndex
CREATE INDEX "payments_status_updated_at_idx" ON "payments"("status", "updated_at");

-- CreateIndex
CREATE INDEX "notifications_svc_uid_idx" ON "notifications"("svc_uid");

-- CreateIndex
CREATE INDEX "notifications_merchant_uid_idx" ON "notifications"("merchant_uid");

-- CreateIndex
CREATE INDEX "notifications_received_at_idx" ON "notifications"("received_at");

-- CreateIndex
CREATE INDEX "discrepancies_resolved_at_last_seen_at_idx" ON "discrepancies"("resolved_at", "last_seen_at");

-- CreateIndex
CREATE UNIQUE INDEX "discrepancies_kind_svc_uid_merchant_uid_key" ON "discrepancies"("kind", "svc_uid", "merchant_uid");

-- AddForeignKey
ALTER TABLE "billing_key_issuances" ADD CONSTRAINT "billing_key_issuances_customer_uid_fkey" FOREIGN KEY ("customer_uid") REFERENCES "billing_keys"("customer_uid") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_merchant_uid_fkey" FOREIGN KEY ("merchant_uid") REFERENCES "orders"("merchant_uid") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma's schema cannot say.

-- Money is never negative, and no more is cancelled than was paid.
ALTER TABLE "orders" ADD CONSTRAINT "orders_amount_positive" CHECK ("amount" > 0);
ALTER TABLE "payments" ADD CONSTRAINT "payments_amount_not_negative" CHECK ("amount" >= 0);
ALTER TABLE "payments" ADD CONSTRAINT "payments_cancel_amount_in_range" CHECK ("cancel_amount" BETWEEN 0 AND "amount");

-- One unresolved issuance per customer_uid: two cards are never on their way to one key.
CREATE UNIQUE INDEX "billing_key_issuances_one_unresolved" ON "billing_key_issuances"("customer_uid") WHERE "status" IN ('pending', 'unknown');

-- The few notifications that still have to be checked, among all that ever arrived.
CREATE INDEX "notifications_to_check" ON "notifications"("next_check_at") WHERE "next_check_at" IS NOT NULL;
