-- Open notifications are claimed from their rows, and a pause that the service asks for holds for all processes.

-- CreateTable
CREATE TABLE "service_pauses" (
    "line" VARCHAR(16) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "service_pauses_pkey" PRIMARY KEY ("line")
);

-- What Prisma's schema cannot say.

-- What is claimed, the longest due first: of one generation, because a host that hangs must not keep the other waiting; and
-- apart from what is paced, because of that there may be far more.
CREATE INDEX "notifications_due" ON "notifications"("generation", "next_attempt_at")
  WHERE "next_attempt_at" IS NOT NULL AND "reason" IS DISTINCT FROM 'paced';
CREATE INDEX "notifications_paced" ON "notifications"("next_attempt_at")
  WHERE "next_attempt_at" IS NOT NULL AND "reason" = 'paced';
DROP INDEX "notifications_to_check";
