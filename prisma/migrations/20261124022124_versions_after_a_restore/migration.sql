-- The number below which no version of an event is given any more: versions that were told before a restore are not used
-- again. 0 until `npm run restored` has been run. Code from before this migration runs beside it.
CREATE SEQUENCE "event_version_floor" AS INTEGER MINVALUE 0 START 0;
