-- CreateEnum
CREATE TYPE "swept_list" AS ENUM ('ready', 'paid', 'cancelled', 'failed', 'schedules');

-- CreateTable
CREATE TABLE "sweep_positions" (
    "list" "swept_list" NOT NULL,
    "swept_to" TIMESTAMPTZ(3) NOT NULL,
    "looked_back_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sweep_positions_pkey" PRIMARY KEY ("list")
);

-- CreateTable
CREATE TABLE "sweep_differences" (
    "svc_uid" VARCHAR(64) NOT NULL,
    "merchant_uid" VARCHAR(64) NOT NULL,
    "listed" VARCHAR(200) NOT NULL,
    "order_version" INTEGER,
    "outcome" "notification_outcome" NOT NULL,
    "reason" VARCHAR(64),
    "checks" INTEGER NOT NULL DEFAULT 1,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "next_check_at" TIMESTAMPTZ(3),

    CONSTRAINT "sweep_differences_pkey" PRIMARY KEY ("svc_uid")
);
