-- Every minute the charges whose schedule is due are looked for: among a million that wait for their time they are few.
create index charges_scheduled on charges (schedule_at) where status = 'scheduled';
