-- Events of orders, written by the statement that changes the order, and their deliveries; the status `closed`.
-- Code from before this migration runs beside it, but cannot read an order that is closed.

-- CreateEnum
CREATE TYPE "event_target" AS ENUM ('handler', 'url');

-- AlterEnum
ALTER TYPE "order_status" ADD VALUE 'closed';

-- CreateTable
CREATE TABLE "events" (
    "id" BIGSERIAL NOT NULL,
    "stream" VARCHAR(64) NOT NULL,
    "version" INTEGER NOT NULL,
    "type" VARCHAR(40) NOT NULL,
    "data" JSONB NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "position" BIGINT,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event_deliveries" (
    "event_id" BIGINT NOT NULL,
    "target" "event_target" NOT NULL,
    "stream" VARCHAR(64) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "reason" VARCHAR(40),

    CONSTRAINT "event_deliveries_pkey" PRIMARY KEY ("event_id","target")
);

-- CreateIndex
CREATE UNIQUE INDEX "events_position_key" ON "events"("position");

-- CreateIndex
CREATE UNIQUE INDEX "events_stream_version_key" ON "events"("stream", "version");

-- CreateIndex
CREATE INDEX "orders_updated_at_merchant_uid_idx" ON "orders"("updated_at", "merchant_uid");

-- AddForeignKey
ALTER TABLE "event_deliveries" ADD CONSTRAINT "event_deliveries_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "events"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What is to be published, oldest first, and the places that it is given.
CREATE INDEX "events_unpublished" ON "events"("id") WHERE "position" IS NULL;
CREATE SEQUENCE "events_position_seq" OWNED BY "events"."position";

-- What is due, and whether an earlier event of its stream waits.
CREATE INDEX "event_deliveries_due" ON "event_deliveries"("next_attempt_at") WHERE "next_attempt_at" IS NOT NULL;
CREATE INDEX "event_deliveries_waiting" ON "event_deliveries"("stream", "target", "event_id") WHERE "next_attempt_at" IS NOT NULL;
