-- A plan can change, and pause. A paused one is not due, so the index of those that are due stays as it is.
ALTER TYPE "subscription_status" ADD VALUE 'paused' AFTER 'past_due';
ALTER TABLE "subscriptions" ADD COLUMN "next_customer_uid" VARCHAR(80),
  ADD COLUMN "next_amount" BIGINT,
  ADD COLUMN "next_name" VARCHAR(40),
  ADD COLUMN "is_pausing" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "is_replacing" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "replaced_cycles" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "past_amounts" BIGINT[] DEFAULT ARRAY[]::BIGINT[],
  ADD COLUMN "buyer_name" VARCHAR(16),
  ADD COLUMN "buyer_email" VARCHAR(64),
  ADD COLUMN "buyer_tel" VARCHAR(16),
  ADD COLUMN "buyer_addr" VARCHAR(128),
  ADD COLUMN "buyer_postcode" VARCHAR(8),
  ADD COLUMN "custom_data" VARCHAR(2000);
