-- A record that cannot be read in full is a discrepancy with its ids as they were shown.
-- drops: nothing. A longer varchar changes only the catalogue, and no named statement returns these columns.
ALTER TABLE "discrepancies" ALTER COLUMN "svc_uid" TYPE VARCHAR(300), ALTER COLUMN "merchant_uid" TYPE VARCHAR(300);

-- A payment whose amount is no whole number can be refunded in full.
ALTER TABLE "refunds" ALTER COLUMN "amount" DROP NOT NULL;
