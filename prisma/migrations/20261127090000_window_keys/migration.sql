-- Billing keys that are issued in the payment window.
ALTER TYPE "discrepancy_kind" ADD VALUE 'unknown_billing_key' AFTER 'foreign_billing_key';
ALTER TYPE "discrepancy_resolution" ADD VALUE 'key_given';
ALTER TYPE "discrepancy_resolution" ADD VALUE 'key_deleted';
ALTER TYPE "notification_outcome" ADD VALUE 'unknown_billing_key';
ALTER TABLE "billing_keys" ADD COLUMN "issued_by" VARCHAR(64);
CREATE INDEX "billing_keys_issued_by_idx" ON "billing_keys"("issued_by");

CREATE TABLE "billing_key_requests" (
    "customer_uid" VARCHAR(80) NOT NULL,
    "member_id" VARCHAR(64) NOT NULL,
    "merchant_uid" VARCHAR(64) NOT NULL,
    "amount" BIGINT NOT NULL,
    "currency" VARCHAR(3) NOT NULL,
    "return_url" VARCHAR(1000),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "check_at" TIMESTAMPTZ(3),

    CONSTRAINT "billing_key_requests_pkey" PRIMARY KEY ("customer_uid")
);
CREATE INDEX "billing_key_requests_member_id_idx" ON "billing_key_requests"("member_id");
CREATE INDEX "billing_key_requests_check_at_idx" ON "billing_key_requests"("check_at");
CREATE INDEX "billing_key_requests_created_at_idx" ON "billing_key_requests"("created_at");
