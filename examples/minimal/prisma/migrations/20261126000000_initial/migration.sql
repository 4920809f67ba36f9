-- CreateTable
CREATE TABLE "billing_keys" (
    "customer_uid" TEXT NOT NULL,
    "member_id" TEXT NOT NULL,
    "card_name" TEXT,
    "created_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "billing_keys_pkey" PRIMARY KEY ("customer_uid")
);

-- CreateTable
CREATE TABLE "orders" (
    "merchant_uid" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "amount" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'open',
    "created_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "orders_pkey" PRIMARY KEY ("merchant_uid")
);

-- CreateTable
CREATE TABLE "payments" (
    "svc_uid" TEXT NOT NULL,
    "merchant_uid" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "amount" INTEGER NOT NULL,
    "cancel_amount" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "updated_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "payments_pkey" PRIMARY KEY ("svc_uid")
);

-- CreateIndex
CREATE INDEX "billing_keys_member_id_idx" ON "billing_keys"("member_id");

-- CreateIndex
CREATE INDEX "payments_merchant_uid_idx" ON "payments"("merchant_uid");

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_merchant_uid_fkey" FOREIGN KEY ("merchant_uid") REFERENCES "orders"("merchant_uid") ON DELETE RESTRICT ON UPDATE CASCADE;
