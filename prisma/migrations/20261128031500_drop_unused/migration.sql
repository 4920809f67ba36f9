-- drops: nothing has read or written these since 2026-11-27, and no released version has.
DROP TABLE "reconciliation_positions";
DROP TABLE "reconciliation_differences";
DROP TYPE "reconciled_list";
ALTER TABLE "card_limits" DROP COLUMN "points";
