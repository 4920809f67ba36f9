-- A plan whose schedule the service has not revoked, after a change or a pause, needs a person.
ALTER TYPE "needs_person" ADD VALUE 'schedule_not_revoked';
