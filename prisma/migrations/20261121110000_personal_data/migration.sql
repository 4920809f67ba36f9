-- A member can be erased, and what is old is deleted by itself. Code from before this migration can run after it, but it
-- writes personal data into an order that was erased: erase nobody before all processes are of this version.

-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "erased_at" TIMESTAMPTZ(3);

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

-- CreateIndex
CREATE UNIQUE INDEX "erasures_member_id_key" ON "erasures"("member_id");

-- CreateIndex
CREATE INDEX "events_occurred_at_idx" ON "events"("occurred_at");

-- What Prisma's schema cannot say.

ALTER TABLE "erasures" ADD CONSTRAINT "erasures_member_until_finished" CHECK (("member_id" IS NULL) = ("finished_at" IS NOT NULL));
ALTER TABLE "erasures" ADD CONSTRAINT "erasures_due_until_finished" CHECK (("next_attempt_at" IS NULL) = ("finished_at" IS NOT NULL));

-- What the job takes up. Those that are finished are not in it.
CREATE INDEX "erasures_due" ON "erasures"("next_attempt_at") WHERE "next_attempt_at" IS NOT NULL;

-- Declined attempts whose digits are still kept.
CREATE INDEX "billing_key_issuances_digits" ON "billing_key_issuances"("resolved_at") WHERE "status" = 'declined' AND "card_last_four" <> '****';

-- A card that is removed keeps no digits; so far it did.
UPDATE "billing_keys" SET "card_number" = NULL WHERE "status" = 'removed';
UPDATE "billing_key_issuances" i SET "card_last_four" = '****' FROM "billing_keys" k WHERE k."customer_uid" = i."customer_uid" AND k."status" = 'removed';
