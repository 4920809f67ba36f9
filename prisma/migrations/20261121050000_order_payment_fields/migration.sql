-- What an order is registered with beside its amount (§4.3, §4.9), and what its payment then carries. Null where nothing
-- was said, as in every row from before. Processes of the version before can go on meanwhile.

-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "buyer_addr" VARCHAR(128),
ADD COLUMN     "buyer_email" VARCHAR(64),
ADD COLUMN     "buyer_name" VARCHAR(16),
ADD COLUMN     "buyer_postcode" VARCHAR(8),
ADD COLUMN     "buyer_tel" VARCHAR(16),
ADD COLUMN     "card_quota" SMALLINT,
ADD COLUMN     "custom_data" VARCHAR(2000),
ADD COLUMN     "tax_free" BIGINT;
