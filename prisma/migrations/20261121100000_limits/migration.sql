-- Counts of card attempts. Code from before this migration can run after it.

-- CreateTable
-- Unlogged: the hashes of card numbers that it holds for a day are in no replica and in no copy of the log. A crash of
-- PostgreSQL empties it, and the counts begin anew. The library that uses it relies on the order of the columns.
CREATE UNLOGGED TABLE "card_limits" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "card_limits_pkey" PRIMARY KEY ("key")
);
