-- Deliveries are claimed in the order of their time and event: with both in the index, a claim of fifty reads about fifty
-- entries, however many wait. Each of these indexes has a condition that always holds and that only its own part of the
-- statement repeats (CLAIM in src/merchant/core/events/event-store.ts). Otherwise a plan that was made while nothing waited
-- could take one for the other, and read all that waits for each row.
CREATE INDEX "event_deliveries_in_order" ON "event_deliveries"("next_attempt_at", "event_id")
  WHERE "next_attempt_at" IS NOT NULL AND "attempts" >= 0;
CREATE INDEX "event_deliveries_in_stream" ON "event_deliveries"("stream", "target", "event_id")
  WHERE "next_attempt_at" IS NOT NULL AND "event_id" > 0;
-- drops: only indexes; those above serve what they served
DROP INDEX "event_deliveries_due";
DROP INDEX "event_deliveries_waiting";
