// Every list of the merchant's API: first pages, pages with filters that match many, few and no rows, and pages far from the
// first.

const DAY_MS = 24 * 3_600_000;

/** The paths for data written by `writeOldBooks` of `tools/bench/size/old-books.ts`. */
export function listPaths({ payments, orders }: { payments: number; orders: number }): string[] {
  const svcUid = id('svc_', payments / 2, 12);
  const merchantUid = id('old-', orders / 2, 9);
  const both = (path: string) => [`${path}?svc_uid=${svcUid}`, `${path}?merchant_uid=${merchantUid}`];
  const aDay = `from=${daysAgo(200)}&to=${daysAgo(199)}`;
  return [
    '/api/orders',
    '/api/orders?status=paid',
    '/api/orders?status=open',
    '/api/orders?status=partially_cancelled',
    `/api/orders?updated_from=${daysAgo(0.001)}`,
    `/api/orders?updated_from=${daysAgo(180)}&limit=1000`,
    `/api/orders?status=open&updated_from=${daysAgo(180)}`,
    `/api/orders?after=${Date.parse(daysAgo(180))}-${merchantUid}`,
    `/api/orders?status=paid&after=${Date.parse(daysAgo(30))}-${merchantUid}`,
    `/api/orders/${merchantUid}`,
    `/api/payments/${svcUid}`,
    '/api/notifications',
    '/api/notifications?limit=1000',
    ...both('/api/notifications'),
    '/api/notifications?open=true',
    '/api/notifications?open=false',
    '/api/notifications?outcome=recorded',
    '/api/notifications?outcome=amount_mismatch',
    '/api/notifications?outcome=unknown_payment',
    '/api/notifications?outcome=queued&open=true',
    `/api/notifications?${aDay}`,
    `/api/notifications?outcome=amount_mismatch&${aDay}`,
    `/api/notifications?to=${daysAgo(300)}`,
    `/api/notifications?from=${daysAgo(300)}`,
    `/api/notifications?from=${daysAgo(300)}&to=${daysAgo(100)}`,
    `/api/notifications?after=${Math.floor(payments / 2)}`,
    '/api/discrepancies',
    '/api/discrepancies?open=true',
    '/api/discrepancies?open=false',
    '/api/discrepancies?kind=amount_mismatch&open=true',
    '/api/discrepancies?kind=unknown_order',
    ...both('/api/discrepancies'),
    `/api/discrepancies?${aDay}`,
    `/api/discrepancies?after=${Math.ceil(payments / 2_000)}`,
    '/api/charges',
    '/api/charges?status=failed',
    '/api/charges?status=unknown',
    '/api/charges?needs_person=true',
    '/api/charges?needs_person=false',
    '/api/charges?customer_uid=key-77',
    ...both('/api/charges'),
    `/api/charges?after=${Date.parse(daysAgo(180))}-${'m'.repeat(32)}`,
    '/api/refunds',
    '/api/refunds?status=refunded',
    '/api/refunds?status=unknown',
    '/api/refunds?needs_person=true',
    '/api/refunds?needs_person=false',
    `/api/refunds?svc_uid=${svcUid}`,
    `/api/refunds?after=${Math.ceil(orders / 60)}`,
    '/api/issuances',
    '/api/issuances?status=declined',
    '/api/issuances?needs_person=true',
    '/api/issuances?customer_uid=key-77',
    `/api/issuances?after=${Math.floor(orders / 10)}`,
    '/api/events',
    `/api/events?after=${Math.floor(orders / 2)}`,
    `/api/events?merchant_uid=${merchantUid}`,
    '/api/events?undelivered=true',
    '/api/events?undelivered=false',
    '/api/members/member-77/cards',
    '/api/subscriptions',
    '/api/subscriptions?status=active',
    '/api/subscriptions?needs_person=true',
    '/api/subscriptions?needs_person=false',
    '/api/subscriptions/sub-77',
  ];
}

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
const id = (prefix: string, number: number, digits: number) =>
  prefix + String(Math.floor(number)).padStart(digits, '0');
