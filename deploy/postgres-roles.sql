-- The database and the roles of the merchant: `merchant` owns the database and migrates it; the server signs in as
-- `merchant_runtime`, which can neither change nor drop tables. A superuser runs it once, before or after the first migration, from
-- psql 14 or newer; a second run keeps what is there, with its passwords. It ends at the first error, and psql then exits with 3.
--   POSTGRES_PASSWORD=… POSTGRES_RUNTIME_PASSWORD=… psql "$ADMIN_URL" --file deploy/postgres-roles.sql
-- The PostgreSQL image in compose.yaml runs it when its volume is new.
\set ON_ERROR_STOP on
\set owner_password `printenv POSTGRES_PASSWORD`
\set runtime_password `printenv POSTGRES_RUNTIME_PASSWORD`
\o /dev/null
select set_config('merchant.owner_password', :'owner_password', false),
  set_config('merchant.runtime_password', :'runtime_password', false);
\o
do $$
begin
  if exists (select from pg_roles where rolname = 'merchant') then
    raise notice 'the role merchant is there already and keeps its password';
  elsif current_setting('merchant.owner_password') = '' then
    raise exception 'set POSTGRES_PASSWORD, the password of the role merchant';
  else
    execute format('create role merchant login password %L', current_setting('merchant.owner_password'));
  end if;
  if exists (select from pg_roles where rolname = 'merchant_runtime') then
    raise notice 'the role merchant_runtime is there already and keeps its password';
  elsif current_setting('merchant.runtime_password') = '' then
    raise exception 'set POSTGRES_RUNTIME_PASSWORD, the password of the role merchant_runtime';
  else
    execute format('create role merchant_runtime login password %L', current_setting('merchant.runtime_password'));
  end if;
end $$;
-- The tables of the job engine have row-level security without a policy.
alter role merchant_runtime bypassrls;

-- Encoding and locale work on every cluster. \gexec runs the text that the query returns.
select $$create database merchant encoding 'UTF8' lc_collate 'C' lc_ctype 'C' template template0$$
  where not exists (select from pg_database where datname = 'merchant') \gexec
\connect merchant
do $$
begin
  if getdatabaseencoding() <> 'UTF8' then
    raise exception 'the database merchant is in %, and must be in UTF8: dump it, drop it, and run this again', getdatabaseencoding();
  end if;
end $$;
alter database merchant owner to merchant;

-- Only the owner creates tables. Rights on objects that `merchant` will create, and on existing ones.
revoke create on schema public from public;
grant create on schema public to merchant;
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

-- Session settings that the server cannot set behind a pooler (DATABASE_DIRECT_URL in .env.example). It checks them.
alter role merchant_runtime set timezone = 'UTC';
alter role merchant_runtime set datestyle = 'ISO, MDY';
alter role merchant_runtime set intervalstyle = 'postgres';
alter role merchant_runtime set standard_conforming_strings = on;
alter role merchant_runtime set search_path = public;
alter role merchant_runtime set default_transaction_isolation = 'read committed';
alter role merchant_runtime set random_page_cost = 1.1;
alter role merchant_runtime set lock_timeout = '2s';
alter role merchant_runtime set statement_timeout = '2500ms';
alter role merchant_runtime set idle_in_transaction_session_timeout = '5s';
