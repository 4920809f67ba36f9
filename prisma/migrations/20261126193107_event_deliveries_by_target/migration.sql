-- Due deliveries of one target: a target that hangs has many, and the others must not walk past them.
CREATE INDEX "event_deliveries_due" ON "event_deliveries"("target", "next_attempt_at", "event_id")
  WHERE "next_attempt_at" IS NOT NULL;
