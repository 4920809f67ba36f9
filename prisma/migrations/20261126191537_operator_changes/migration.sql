-- Who has changed whose account: within a day, the two do not count as two persons for a refund above REFUND_LIMIT.
CREATE TABLE "operator_changes" (
    "operator_id" BIGINT NOT NULL,
    "changed_by" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "operator_changes_pkey" PRIMARY KEY ("operator_id","changed_by")
);

ALTER TABLE "operator_changes" ADD CONSTRAINT "operator_changes_operator_id_fkey" FOREIGN KEY ("operator_id") REFERENCES "operators"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "operator_changes" ADD CONSTRAINT "operator_changes_changed_by_fkey" FOREIGN KEY ("changed_by") REFERENCES "operators"("id") ON DELETE CASCADE ON UPDATE CASCADE;
