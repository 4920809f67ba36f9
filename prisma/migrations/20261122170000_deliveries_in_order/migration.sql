-- Deliveries are claimed in the order of their time and event: with both in the index, a claim of fifty reads about fifty
-- entries, however many wait.
CREATE INDEX "event_deliveries_in_order" ON "event_deliveries"("next_attempt_at", "event_id")
  WHERE "next_attempt_at" IS NOT NULL;
-- drops: only an index; the one above serves every statement that it served
DROP INDEX "event_deliveries_due";
