-- CreateEnum
CREATE TYPE "settlement_problem_kind" AS ENUM ('unreadable', 'not_found', 'amount_differs', 'repeated', 'ambiguous', 'missing');

-- CreateTable
CREATE TABLE "settlement_problems" (
    "id" BIGSERIAL NOT NULL,
    "hash" CHAR(64) NOT NULL,
    "problem" "settlement_problem_kind" NOT NULL,
    "file" VARCHAR(200) NOT NULL,
    "line" INTEGER,
    "column_name" VARCHAR(100),
    "reference" VARCHAR(80),
    "kind" VARCHAR(10),
    "amount" BIGINT,
    "fee" BIGINT,
    "paid_out_on" DATE,
    "ledger_amounts" BIGINT[],
    "svc_uid" VARCHAR(64),
    "part" BIGINT,
    "found_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),
    "resolved_by" VARCHAR(64),
    "resolution_note" VARCHAR(500),

    CONSTRAINT "settlement_problems_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "settlement_problems_hash_key" ON "settlement_problems"("hash");

-- Those that wait for a person, and those that a row of a later file resolves.
CREATE INDEX "settlement_problems_open" ON "settlement_problems"("id") WHERE "resolved_at" IS NULL;
CREATE INDEX "settlement_problems_of_row" ON "settlement_problems"("reference", "kind") WHERE "resolved_at" IS NULL;
-- Settlement files that name payments by the PG's transaction.
CREATE INDEX "payments_of_pg_tid" ON "payments"("pg_tid") WHERE "pg_tid" IS NOT NULL;
-- drops: the overview counts failed payments by the time of their list, by payments_by_status
DROP INDEX "payments_failed";
