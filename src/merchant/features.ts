// All features of the program, one per line. To remove an option, delete its folder and its line here; src/README.md
// has the steps. Features receive events in this order, and then the shop.

import { TABLES } from '../generated/tables';
import { attempts } from './core/attempts/feature';
import { billingKeys } from './core/billing-keys/feature';
import { cards } from './core/cards/feature';
import { charges } from './core/charges/feature';
import { discrepancies } from './core/discrepancies/feature';
import { events } from './core/events/feature';
import { nameHandlers } from './core/events/handlers';
import { orders } from './core/orders/feature';
import { payments } from './core/payments/feature';
import { reconciliation } from './core/reconciliation/feature';
import { refunds } from './core/refunds/feature';
import { schedules } from './core/schedules/feature';
import { webhooks } from './core/webhooks/feature';
import { apiDocs } from './options/api-docs/feature';
import { apiKeys } from './options/api-keys/feature';
import { cardForm } from './options/card-form/feature';
import { cardLinks } from './options/card-links/feature';
import { checkout } from './options/checkout/feature';
import { demo } from './options/demo/feature';
import { erasure } from './options/erasure/feature';
import { ledger } from './options/ledger/feature';
import { monitoring } from './options/monitoring/feature';
import { notices } from './options/notices/feature';
import { operator } from './options/operator/feature';
import { subscriptions } from './options/subscriptions/feature';
import { windowKeys } from './options/window-keys/feature';
import { server } from './platform/http/feature';
import { describeApi, type Feature } from './platform/http/feature-type';
import { requireRules } from './platform/personal-data';
import { onOrderEvent } from './shop/on-order-event';
import { shopSettings } from './shop/settings';

export const FEATURES: readonly Feature[] = [
  orders,
  payments,
  discrepancies,
  charges,
  refunds,
  schedules,
  subscriptions,
  billingKeys,
  cardForm,
  windowKeys,
  cards,
  cardLinks,
  events,
  webhooks,
  attempts,
  reconciliation,
  checkout,
  erasure,
  operator,
  notices,
  apiKeys,
  ledger,
  monitoring,
  apiDocs,
  demo,
  server,
  { name: 'shop', settings: shopSettings, eventHandlers: nameHandlers(onOrderEvent) },
];

/** Options that were removed: their tables stay until a migration drops them. */
const REMOVED: readonly string[] = [];
requireRules(TABLES, FEATURES, REMOVED);

/** Every route that programs call, for /openapi.json and /docs. */
export const API = describeApi(FEATURES);
