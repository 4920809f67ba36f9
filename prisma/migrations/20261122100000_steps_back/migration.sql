-- Since when the service has shown less of a payment than is stored: believed when a later fetch shows it again.
alter table payments add column went_back_at timestamptz(3);
