-- The id that the request's log line and answer have as well.
ALTER TABLE "operator_actions" ADD COLUMN "request_id" UUID;

-- drops: nothing; the word TRUNCATE is what the trigger refuses.
-- TRUNCATE fires no trigger for each row, so it emptied the audit log. The function of the initial migration raises for it.
CREATE TRIGGER "operator_actions_are_not_truncated" BEFORE TRUNCATE ON "operator_actions"
  FOR EACH STATEMENT EXECUTE FUNCTION "keep_operator_actions"();
