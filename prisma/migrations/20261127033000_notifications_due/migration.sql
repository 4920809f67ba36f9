-- Paced notifications are due like all others.
CREATE INDEX "notifications_due_by_generation" ON "notifications"("generation", "next_attempt_at")
  WHERE "next_attempt_at" IS NOT NULL;
DROP INDEX "notifications_due";
DROP INDEX "notifications_paced";
