-- What people who run the server look at: the request that brought a notification, when reconciliation last ended, and
-- indexes for the gauges of /metrics. Code from before this migration can run after it.

-- AlterTable
ALTER TABLE "notifications" ADD COLUMN     "request_id" UUID;

-- CreateTable
CREATE TABLE "reconciliation_runs" (
    "id" SMALLINT NOT NULL DEFAULT 1,
    "finished_at" TIMESTAMPTZ(3) NOT NULL,
    "complete_at" TIMESTAMPTZ(3),

    CONSTRAINT "reconciliation_runs_pkey" PRIMARY KEY ("id")
);

-- What Prisma's schema cannot say.

ALTER TABLE "reconciliation_runs" ADD CONSTRAINT "reconciliation_runs_one_row" CHECK ("id" = 1);

-- The oldest open notification, and how many are open. Those that are settled, nearly all, are not in it.
CREATE INDEX "notifications_open" ON "notifications"("received_at") WHERE "next_attempt_at" IS NOT NULL;

-- Events that a target has not taken, also those that were given up. Those that were delivered, nearly all, are not in it.
CREATE INDEX "event_deliveries_undelivered" ON "event_deliveries"("event_id") WHERE "delivered_at" IS NULL;
