// The tables of both limit programs, with only the columns that they need.

export const LIMIT_SCHEMA = `
  create table orders (merchant_uid text primary key, amount bigint not null, currency text not null,
    status text not null default 'open', version int not null default 0);
  create table notifications (id bigserial primary key, received_at timestamptz not null, svc_uid text not null,
    merchant_uid text not null, outcome text);
  create table payments (svc_uid text primary key, merchant_uid text not null references orders, status text not null,
    amount bigint not null, currency text not null, record jsonb not null, updated_at timestamptz not null);`;
