-- Won that a key may refund of one payment; null: no limit.
ALTER TABLE "api_keys" ADD COLUMN "refund_limit" BIGINT;
