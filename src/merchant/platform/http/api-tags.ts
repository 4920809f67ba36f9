// The groups of routes in /openapi.json and on the page /docs. Each list of routes stands under one of them in `app.ts`,
// so that a route without a group does not compile.

import type { RouteDescription } from './route-description';

/** In the order in which they are shown. */
export const TAGS = {
  orders: 'What the merchant expects to be paid, and what became of it.',
  payments:
    'Money that moved: payments that fit their orders, and those that the service lists (§4.4 to §4.6).',
  charges: 'Attempts to take the money for an order.',
  refunds: 'Attempts to give money back.',
  schedules: 'Payments that the service makes later with a stored key (§4.8).',
  subscriptions: 'Plans that renew, one order for each cycle.',
  'billing keys': 'Cards that are stored at the service (§4.6, §4.7).',
  members: 'What is kept of one member, and how it is erased.',
  events: 'What happened to orders, for systems that prefer to ask.',
  notifications: 'What the service told about payments: how it is received, and what became of it (§6).',
  discrepancies: 'What was checked and does not fit, for a person to decide.',
  health: 'Whether the server is well, and this description.',
} as const;

export type Tag = keyof typeof TAGS;

export type TaggedRoute = RouteDescription & { tag: Tag };

/** Routes with the tag under which their list stands. */
export function tagged<Route extends RouteDescription>(lists: {
  readonly [Key in Tag]?: readonly Route[];
}): (Route & { tag: Tag })[] {
  return Object.entries(lists).flatMap(([tag, routes]) =>
    routes.map((route) => ({ ...route, tag: tag as Tag })),
  );
}
