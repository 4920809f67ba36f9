-- What a person decides about discrepancies and attempts, who and why. Code from before this migration can run after it:
-- columns are added that may be null, and a refund may be of a payment that has no row.

-- CreateEnum
CREATE TYPE "discrepancy_resolution" AS ENUM ('accepted', 'refunded', 'ignored');

-- DropForeignKey
-- A payment that fits no order has no row in payments, and its money can be given back all the same.
ALTER TABLE "refunds" DROP CONSTRAINT "refunds_svc_uid_fkey";

-- AlterTable
ALTER TABLE "billing_key_issuances" ADD COLUMN     "settle_note" VARCHAR(500),
ADD COLUMN     "settled_by" VARCHAR(64);

-- AlterTable
ALTER TABLE "charges" ADD COLUMN     "settle_note" VARCHAR(500),
ADD COLUMN     "settled_by" VARCHAR(64);

-- AlterTable
ALTER TABLE "discrepancies" ADD COLUMN     "resolution" "discrepancy_resolution",
ADD COLUMN     "resolution_note" VARCHAR(500),
ADD COLUMN     "resolved_by" VARCHAR(64);

-- AlterTable
ALTER TABLE "refunds" ADD COLUMN     "discrepancy_id" BIGINT,
ADD COLUMN     "requested_by" VARCHAR(64),
ADD COLUMN     "settle_note" VARCHAR(500),
ADD COLUMN     "settled_by" VARCHAR(64);

-- CreateIndex
CREATE INDEX "billing_key_issuances_status_id_idx" ON "billing_key_issuances"("status", "id");

-- CreateIndex
CREATE INDEX "charges_started_at_id_idx" ON "charges"("started_at", "id");

-- CreateIndex
CREATE INDEX "charges_status_started_at_id_idx" ON "charges"("status", "started_at", "id");

-- CreateIndex
CREATE INDEX "refunds_discrepancy_id_idx" ON "refunds"("discrepancy_id");

-- CreateIndex
CREATE INDEX "refunds_status_id_idx" ON "refunds"("status", "id");

-- AddForeignKey
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_discrepancy_id_fkey" FOREIGN KEY ("discrepancy_id") REFERENCES "discrepancies"("id") ON DELETE SET NULL ON UPDATE CASCADE;
