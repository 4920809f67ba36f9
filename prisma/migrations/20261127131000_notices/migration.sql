-- What was told to NOTICE_URL.
CREATE TABLE "notices" (
    "kind" VARCHAR(80) NOT NULL,
    "tried_at" TIMESTAMPTZ(3) NOT NULL,
    "told" TEXT[],
    "reason" VARCHAR(40),

    CONSTRAINT "notices_pkey" PRIMARY KEY ("kind")
);
