-- Why a subscription waits for a person, and since when. The next check of each one writes it.
CREATE TYPE "needs_person" AS ENUM ('charge_needs_review', 'order_conflict', 'order_not_paid', 'schedule_refused');
ALTER TABLE "subscriptions" ADD COLUMN "needs_person" "needs_person", ADD COLUMN "needs_person_since" TIMESTAMPTZ(3);
-- The few that do, in the order of the list.
CREATE INDEX "subscriptions_needing_person" ON "subscriptions"("created_at", "subscription_id") WHERE "needs_person" IS NOT NULL;
