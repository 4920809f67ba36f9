-- One position for all lists of the service. The version before has one for each, which it goes on using while it runs.
ALTER TABLE "reconciliation_runs" ADD COLUMN "compared_to" TIMESTAMPTZ(3),
  ADD COLUMN "looked_back_at" TIMESTAMPTZ(3),
  ALTER COLUMN "finished_at" DROP NOT NULL;
-- A list without a position was never compared, so the first reconciliation compares everything.
INSERT INTO "reconciliation_runs" ("id", "compared_to", "looked_back_at")
  SELECT 1, min("compared_to"), min("looked_back_at") FROM "reconciliation_positions" HAVING count(*) = 5
  ON CONFLICT ("id") DO UPDATE SET "compared_to" = excluded."compared_to", "looked_back_at" = excluded."looked_back_at";
-- Payments whose order may have been registered since.
CREATE INDEX "discrepancies_of_unknown_orders" ON "discrepancies"("merchant_uid")
  WHERE "kind" = 'unknown_order' AND "resolved_at" IS NULL;
