-- CreateTable
CREATE TABLE "schedule_revocations" (
    "charge_id" VARCHAR(32) NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL,
    "reason" VARCHAR(40),

    CONSTRAINT "schedule_revocations_pkey" PRIMARY KEY ("charge_id")
);

-- CreateIndex
CREATE INDEX "schedule_revocations_next_try_at_idx" ON "schedule_revocations"("next_try_at");

-- AddForeignKey
ALTER TABLE "schedule_revocations" ADD CONSTRAINT "schedule_revocations_charge_id_fkey" FOREIGN KEY ("charge_id") REFERENCES "charges"("id") ON DELETE CASCADE ON UPDATE CASCADE;
