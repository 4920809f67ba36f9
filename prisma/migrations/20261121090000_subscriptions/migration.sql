-- Plans that renew. Code from before this migration can run after it.

-- CreateEnum
CREATE TYPE "subscription_interval" AS ENUM ('day', 'week', 'month', 'year');

-- CreateEnum
CREATE TYPE "subscription_status" AS ENUM ('active', 'past_due', 'cancelled', 'ended');

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

-- CreateIndex
CREATE INDEX "subscriptions_member_id_idx" ON "subscriptions"("member_id");

-- What Prisma's schema cannot say.

-- What the job checks next. Those that are over are not in it.
CREATE INDEX "subscriptions_due" ON "subscriptions"("check_at") WHERE "status" IN ('active', 'past_due');

ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_amount_positive" CHECK ("amount" > 0);
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_cycle_positive" CHECK ("cycle" > 0);
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_reason_if_over" CHECK (("status" IN ('cancelled', 'ended')) = ("end_reason" IS NOT NULL));
