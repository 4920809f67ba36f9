-- A buyer has to know where to pay: the virtual account of a payment.
ALTER TABLE "payments" ADD COLUMN "vbank_code" VARCHAR(16),
ADD COLUMN "vbank_name" VARCHAR(64),
ADD COLUMN "vbank_num" VARCHAR(32),
ADD COLUMN "vbank_holder" VARCHAR(64),
ADD COLUMN "vbank_date" TIMESTAMPTZ(3);
