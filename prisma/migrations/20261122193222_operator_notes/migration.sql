-- Notes of operators, the list of billing keys, and the chart of open discrepancies. Code from before this migration can run
-- after it. On large tables, build the indexes beforehand (docs/guides/upgrade.md): what is there already is left as it is.

-- CreateEnum
CREATE TYPE "note_subject" AS ENUM ('discrepancy', 'charge', 'refund', 'issuance');

-- CreateTable
CREATE TABLE "notes" (
    "id" BIGSERIAL NOT NULL,
    "subject" "note_subject" NOT NULL,
    "subject_id" VARCHAR(32) NOT NULL,
    "written_by" VARCHAR(64) NOT NULL,
    "text" VARCHAR(500) NOT NULL,
    "written_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notes_pkey" PRIMARY KEY ("id")
);

-- One that was interrupted while it was built beforehand serves nothing, and would be taken for a good one.
DO $$
DECLARE invalid regclass;
BEGIN
  FOR invalid IN SELECT indexrelid::regclass FROM pg_index
    WHERE NOT indisvalid AND indrelid IN ('billing_keys'::regclass, 'discrepancies'::regclass)
  LOOP
    EXECUTE format('DROP INDEX %s', invalid);
  END LOOP;
END $$;

-- CreateIndex
CREATE INDEX "notes_subject_subject_id_id_idx" ON "notes"("subject", "subject_id", "id");
-- The list of billing keys, the newest first, and of those in one state.
CREATE INDEX IF NOT EXISTS "billing_keys_created_at_idx" ON "billing_keys"("created_at");
CREATE INDEX IF NOT EXISTS "billing_keys_status_created_at_idx" ON "billing_keys"("status", "created_at");

-- What Prisma's schema cannot say.

-- What was settled lately, for the chart of open discrepancies. Those that are open have an index of their own.
CREATE INDEX IF NOT EXISTS "discrepancies_settled" ON "discrepancies"("resolved_at") WHERE "resolved_at" IS NOT NULL;
