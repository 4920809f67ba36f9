-- A removal that lost its caller, or whose answer was lost, is taken up again. Since when it has been asked for says at
-- which gaps. Code from before this migration can run after it.

ALTER TABLE "billing_keys" ADD COLUMN "removing_since" TIMESTAMPTZ(3);
UPDATE "billing_keys" SET "removing_since" = "updated_at" WHERE "status" = 'removing';

-- Few at any time: the job that looks for them every minute reads no other row.
CREATE INDEX "billing_keys_removing" ON "billing_keys"("updated_at") WHERE "status" = 'removing';
