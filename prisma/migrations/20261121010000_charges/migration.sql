-- CreateEnum
CREATE TYPE "charge_kind" AS ENUM ('again', 'onetime', 'schedule');

-- CreateEnum
CREATE TYPE "charge_status" AS ENUM ('pending', 'unknown', 'planned', 'paid', 'failed', 'refused', 'not_executed', 'revoked', 'needs_review');

-- CreateEnum
CREATE TYPE "cancellation_status" AS ENUM ('pending', 'unknown', 'done', 'refused', 'not_executed', 'needs_review');

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
    "lookups" INTEGER NOT NULL DEFAULT 0,
    "misses" INTEGER NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),

    CONSTRAINT "charges_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "cancellations" (
    "id" BIGSERIAL NOT NULL,
    "svc_uid" VARCHAR(64) NOT NULL,
    "amount" BIGINT NOT NULL,
    "cancelled_before" BIGINT NOT NULL,
    "cancel_reason" VARCHAR(256) NOT NULL,
    "status" "cancellation_status" NOT NULL,
    "reason" VARCHAR(200),
    "lookups" INTEGER NOT NULL DEFAULT 0,
    "misses" INTEGER NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),

    CONSTRAINT "cancellations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "charges_merchant_uid_started_at_idx" ON "charges"("merchant_uid", "started_at");

-- CreateIndex
CREATE INDEX "charges_customer_uid_idx" ON "charges"("customer_uid");

-- CreateIndex
CREATE INDEX "cancellations_svc_uid_started_at_idx" ON "cancellations"("svc_uid", "started_at");

-- AddForeignKey
ALTER TABLE "charges" ADD CONSTRAINT "charges_merchant_uid_fkey" FOREIGN KEY ("merchant_uid") REFERENCES "orders"("merchant_uid") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cancellations" ADD CONSTRAINT "cancellations_svc_uid_fkey" FOREIGN KEY ("svc_uid") REFERENCES "payments"("svc_uid") ON DELETE RESTRICT ON UPDATE CASCADE;


-- What Prisma's schema cannot say.

-- One unsettled charge per order and one unsettled cancellation per payment: a double click moves money once, and
-- nobody tries again while an outcome is unknown or a person has to look.
CREATE UNIQUE INDEX "charges_one_unsettled" ON "charges"("merchant_uid") WHERE "status" IN ('pending', 'unknown', 'planned', 'needs_review');
CREATE UNIQUE INDEX "cancellations_one_unsettled" ON "cancellations"("svc_uid") WHERE "status" IN ('pending', 'unknown', 'needs_review');

ALTER TABLE "charges" ADD CONSTRAINT "charges_schedule_at_if_planned" CHECK (("kind" = 'schedule') = ("schedule_at" IS NOT NULL));
ALTER TABLE "cancellations" ADD CONSTRAINT "cancellations_amount_positive" CHECK ("amount" > 0);
