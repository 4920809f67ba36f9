-- The roles of the merchant: `merchant` owns the database and migrates it; the server signs in as `merchant_runtime`, which can
-- neither change nor drop tables. Run it once as a superuser, before or after the first migration:
-- psql "$ADMIN_URL" --file deploy/postgres-roles.sql. The PostgreSQL image in compose.yaml runs it when its volume is new.
\getenv owner_password POSTGRES_PASSWORD
\getenv runtime_password POSTGRES_RUNTIME_PASSWORD
create role merchant login password :'owner_password';
-- bypassrls: the tables of the job engine have row-level security without a policy.
create role merchant_runtime login bypassrls password :'runtime_password';
alter database merchant owner to merchant;

-- Rights on objects that `merchant` will create, and on existing ones.
alter default privileges for role merchant grant usage on schemas to merchant_runtime;
alter default privileges for role merchant grant select, insert, update, delete on tables to merchant_runtime;
alter default privileges for role merchant grant usage, select on sequences to merchant_runtime;
alter default privileges for role merchant grant execute on functions to merchant_runtime;
do $$
declare each text;
begin
  for each in select nspname from pg_namespace where nspname in ('public', 'graphile_worker') loop
    execute format('grant usage on schema %I to merchant_runtime', each);
    execute format('grant select, insert, update, delete on all tables in schema %I to merchant_runtime', each);
    execute format('grant usage, select on all sequences in schema %I to merchant_runtime', each);
    execute format('grant execute on all functions in schema %I to merchant_runtime', each);
  end loop;
end $$;

-- Session settings that the server cannot set behind a pooler (DATABASE_DIRECT_URL in .env.example).
alter role merchant_runtime set timezone = 'UTC';
alter role merchant_runtime set random_page_cost = 1.1;
alter role merchant_runtime set lock_timeout = '2s';
alter role merchant_runtime set statement_timeout = '2500ms';
alter role merchant_runtime set idle_in_transaction_session_timeout = '5s';
