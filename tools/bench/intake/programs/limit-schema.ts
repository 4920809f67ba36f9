// The tables of the limit programs: as few columns as the work needs. Events and deliveries are for the one that keeps our books.

export const LIMIT_SCHEMA = `
  create table orders (merchant_uid text primary key, amount bigint not null, currency text not null,
    status text not null default 'open', version int not null default 0);
  create table notifications (id bigserial primary key, received_at timestamptz not null, svc_uid text not null,
    merchant_uid text not null, outcome text);
  create table payments (svc_uid text primary key, merchant_uid text not null references orders, status text not null,
    amount bigint not null, currency text not null, record jsonb not null, updated_at timestamptz not null);
  create table events (id bigserial primary key, stream text not null, version int not null, type text not null,
    data jsonb not null, occurred_at timestamptz not null, unique (stream, version));
  create table event_deliveries (event_id bigint primary key references events, delivered_at timestamptz);`;
