// Who may use each route of the merchant. The table is typed by hand, because a table read from the routes would agree with every
// mistake in them. A new route is added here, or test/flows/http/access.test.ts fails.

import { FEATURES } from '../../src/merchant/features';

/**
 * `open`: anybody. `member`: a page that belongs to the member of the browser. `metrics`: this machine, or a key with the scope
 * `read`. Below /api the scope that a key needs, below /operator the lowest role; `signed in` is any operator.
 */
export type Access =
  | 'open'
  | 'member'
  | 'metrics'
  | 'signed in'
  | 'read'
  | 'orders'
  | 'charge'
  | 'refund'
  | 'members'
  | 'keys'
  | 'view'
  | 'decide'
  | 'admin';

type AccessOfRoutes = Partial<Record<Access, string>>;

/** By feature. One route per line, or several: method and path. */
const TABLE: Record<string, AccessOfRoutes> = {
  orders: {
    read: 'GET /api/orders, GET /api/orders/{merchant_uid}',
    orders: 'POST /api/orders, POST /api/orders/{merchant_uid}/close',
  },
  payments: {
    read: `GET /api/payments, GET /api/payments/{svc_uid}, GET /api/billing-keys/{customer_uid}/payments,
      GET /api/discrepancies`,
    orders: 'POST /api/discrepancies/{id}/resolve',
  },
  charges: {
    read: 'GET /api/charges',
    charge: 'POST /api/orders/{merchant_uid}/charge, POST /api/charges/{id}/settle',
  },
  refunds: {
    read: 'GET /api/refunds',
    refund: `POST /api/payments/{svc_uid}/cancel, POST /api/refunds/{id}/settle,
      POST /api/discrepancies/{id}/refund`,
  },
  schedules: {
    read: 'GET /api/schedules, GET /api/schedules/planned',
    charge: 'POST /api/schedules, POST /api/schedules/revoke',
  },
  subscriptions: {
    read: 'GET /api/subscriptions, GET /api/subscriptions/{subscription_id}',
    charge: `POST /api/subscriptions, POST /api/subscriptions/{subscription_id}/cancel,
      POST /api/subscriptions/{subscription_id}/change, POST /api/subscriptions/{subscription_id}/pause,
      POST /api/subscriptions/{subscription_id}/resume`,
    view: 'GET /operator/subscriptions, GET /operator/subscriptions.csv, GET /operator/subscriptions/{id}',
    decide: `POST /operator/subscriptions/{id}/change-card, POST /operator/subscriptions/{id}/pause,
      POST /operator/subscriptions/{id}/resume, POST /operator/subscriptions/{id}/cancel`,
  },
  'billing-keys': {
    read: 'GET /api/billing-keys, GET /api/issuances',
    members: 'POST /api/issuances/{id}/settle',
  },
  cards: {
    read: 'GET /api/members/{member_id}/cards',
    members: 'DELETE /api/billing-keys/{customer_uid}, POST /api/discrepancies/{id}/billing-key',
    open: 'GET /, GET /terms, GET /privacy',
    member: 'GET /cards, POST /cards/{customer_uid}/remove',
  },
  'card-form': {
    charge: 'POST /api/onetime',
    member: `POST /cards, GET /cards/new, GET /cards/{customer_uid}/outcome, GET /cards/{customer_uid}/replace,
      POST /cards/{customer_uid}/replace, POST /cards/limits/lift`,
  },
  'window-keys': {
    members: 'POST /api/members/{member_id}/billing-key-requests',
    open: 'GET /cards/window/{customer_uid}/return, POST /cards/window/{customer_uid}/return',
  },
  'card-links': {
    members: 'POST /api/members/{member_id}/card-link',
    open: 'GET /cards/link, POST /cards/link',
  },
  events: { read: 'GET /api/events', orders: 'POST /api/events/{event_id}/replay' },
  webhooks: {
    read: 'GET /api/notifications, GET /api/source-address',
    open: 'POST /webhooks/payments',
  },
  checkout: {
    orders: 'POST /api/payments/{svc_uid}/sync',
    open: 'GET /orders/{merchant_uid}/return, GET /orders/{merchant_uid}/return/, POST /orders/{merchant_uid}/return, POST /orders/{merchant_uid}/return/',
  },
  erasure: { members: 'POST /api/members/{member_id}/erase' },
  'api-keys': {
    keys: 'GET /api/keys, POST /api/keys, POST /api/keys/{id}/revoke',
    admin: 'GET /operator/api-keys, POST /operator/api-keys, POST /operator/api-keys/{id}/revoke',
  },
  ledger: {
    read: 'GET /api/ledger, GET /api/ledger/problems',
    orders: 'POST /api/ledger/problems/{id}/resolve',
    view: 'GET /operator/ledger, GET /operator/ledger.csv',
    decide: 'POST /operator/ledger/problems/{id}/resolve',
  },
  monitoring: { metrics: 'GET /metrics' },
  operator: {
    open: 'GET /operator/sign-in, POST /operator/sign-in',
    'signed in': `POST /operator/sign-out, GET /operator/me, POST /operator/me/password,
      POST /operator/me/second-factor, POST /operator/me/end-sessions`,
    view: `GET /operator, GET /operator/search, GET /operator/desk, GET /operator/desk/kinds/{kind},
      GET /operator/desk/{kind}/{id}, GET /operator/members/{member_id}, GET /operator/keys/{customer_uid},
      GET /operator/orders/{merchant_uid}, GET /operator/payments/{svc_uid},
      GET /operator/orders, GET /operator/payments, GET /operator/notifications, GET /operator/discrepancies,
      GET /operator/charges, GET /operator/refunds, GET /operator/issuances, GET /operator/keys, GET /operator/events,
      GET /operator/orders.csv, GET /operator/payments.csv, GET /operator/notifications.csv,
      GET /operator/discrepancies.csv, GET /operator/charges.csv, GET /operator/refunds.csv,
      GET /operator/issuances.csv, GET /operator/keys.csv, GET /operator/events.csv`,
    decide: `POST /operator/payments/{svc_uid}/sync, POST /operator/payments/{svc_uid}/dispute,
      POST /operator/desk/discrepancies/{id}/sync, POST /operator/desk/discrepancies/{id}/resolve,
      POST /operator/desk/discrepancies/{id}/billing-key,
      POST /operator/desk/kinds/{kind}/resolve, POST /operator/desk/charges/{id}/settle,
      POST /operator/desk/refunds/{id}/settle, POST /operator/desk/issuances/{id}/settle,
      POST /operator/desk/discrepancies/{id}/note, POST /operator/desk/charges/{id}/note,
      POST /operator/desk/refunds/{id}/note, POST /operator/desk/issuances/{id}/note,
      POST /operator/orders/{merchant_uid}/note, POST /operator/events/{event_id}/replay,
      POST /operator/orders/{merchant_uid}/events/{event_id}/replay,
      POST /operator/payments/{svc_uid}/events/{event_id}/replay`,
    refund: `POST /operator/payments/{svc_uid}/refund, POST /operator/payments/{svc_uid}/refund/check,
      POST /operator/desk/discrepancies/{id}/refund, POST /operator/desk/discrepancies/{id}/refund/check,
      POST /operator/desk/refund-requests/{id}/approve, POST /operator/desk/refund-requests/{id}/reject`,
    admin: `GET /operator/accounts, POST /operator/accounts, POST /operator/accounts/{id}/role,
      POST /operator/accounts/{id}/disable, POST /operator/accounts/{id}/reset,
      POST /operator/accounts/{id}/end-sessions, GET /operator/audit, GET /operator/audit.csv`,
  },
  'api-docs': { open: 'GET /api, GET /docs, GET /docs/viewer/{file}, GET /openapi.json' },
  demo: {
    open: 'GET /demo, GET /demo/plan, GET /demo/products/{product}, POST /demo/clock/reset',
    member: `GET /demo/orders, POST /demo/orders, GET /demo/orders/{merchant_uid},
      GET /demo/orders/{merchant_uid}/window, POST /demo/keys, GET /demo/keys/{customer_uid}/window,
      POST /demo/subscriptions,
      GET /demo/subscriptions/{subscription_id}, POST /demo/subscriptions/{subscription_id}/cancel,
      POST /demo/subscriptions/{subscription_id}/next, POST /demo/subscriptions/{subscription_id}/card`,
  },
  server: { open: 'GET /healthz, GET /readyz, GET /favicon.ico, GET /static/base.css' },
};

export type RouteAccess = { method: string; path: string; access: Access };

const hasOperators = FEATURES.some(({ name }) => name === 'operator');

/** Of the features that this program has: options can be removed. The pages of operators come with theirs. */
export const ROUTE_ACCESS: readonly RouteAccess[] = FEATURES.flatMap(({ name }) =>
  Object.entries(TABLE[name] ?? {}).flatMap(([access, routes]) =>
    routes.split(',').map((route) => {
      const [method = '', path = ''] = route.trim().split(' ');
      return { method: method.toLowerCase(), path, access: access as Access };
    }),
  ),
).filter(({ path }) => hasOperators || !path.startsWith('/operator'));
