// Compares the books with the service and with the answers that the clients got. Each returned line is a problem.

import { CHARGE_KEY, ISSUE_KEY } from '../../../test/support/sandbox-controls';
import type { Ledger } from './ledger';
import { openServiceBooks, type ServicePayment, type ServiceSchedule } from './service-books';
import type { Stage } from './stage';

type Order = { merchant_uid: string; status: string };
type Payment = { svc_uid: string; merchant_uid: string; status: string; cancelled: number };
type Charge = { merchant_uid: string; kind: string; status: string; customer_uid: string };

export type Books = {
  /** All problems; empty if everything is right. */
  problems: string[];
  payments: number;
  keys: number;
  schedules: number;
};

export async function compareBooks(stage: Stage, ledger: Ledger): Promise<Books> {
  const { rows, sandbox } = stage;
  const service = await openServiceBooks(sandbox);
  const orders = await rows.query<Order>('select merchant_uid, status from orders');
  const uids = new Set([
    ...ledger.orders,
    ...ledger.schedules.keys(),
    ...orders.map((each) => each.merchant_uid),
  ]);
  const payments = await service.payments([...uids]);
  const keys = await service.keys([...ledger.cards.keys()]);
  const schedules = await service.schedules();
  const stored = await rows.query<Payment>(
    'select svc_uid, merchant_uid, status, cancel_amount::int as cancelled from payments',
  );
  const charges = await rows.query<Charge>('select merchant_uid, kind, status, customer_uid from charges');
  const problems = [
    ...ledger.strange.map((each) => `a client was answered ${each}`),
    ...compareOrders(ledger, orders, payments),
    ...comparePayments(payments, stored),
    ...compareCharges(ledger, charges, payments),
    ...compareRefunds(ledger, payments),
    ...compareSchedules(ledger, charges, schedules),
    ...(await compareNotifications(stage, ledger)),
    ...(await compareCards(stage, ledger, keys)),
    ...(await compareEvents(stage)),
    ...(await findResent(stage)),
    ...(await findReviews(stage)),
  ];
  return { problems, payments: payments.length, keys: keys.size, schedules: schedules.length };
}

/** Every acknowledged order exists, and its status follows from its payment. */
function compareOrders(
  ledger: Ledger,
  orders: readonly Order[],
  payments: readonly ServicePayment[],
): string[] {
  const statuses = new Map(orders.map(({ merchant_uid, status }) => [merchant_uid, status]));
  const lost = [...ledger.orders].filter((uid) => !statuses.has(uid));
  const paid = new Map(payments.map((payment) => [payment.merchant_uid, statusOf(payment)]));
  const differing = orders.filter(
    ({ merchant_uid, status }) => status !== (paid.get(merchant_uid) ?? 'open'),
  );
  return [
    ...lost.map((uid) => `lost: order ${uid}`),
    ...differing.map(
      ({ merchant_uid, status }) =>
        `order ${merchant_uid} is ${status}, not ${paid.get(merchant_uid) ?? 'open'}`,
    ),
  ];
}

function statusOf({ status, amount, cancel_amount: cancelled }: ServicePayment): string {
  return status === 'cancelled' && cancelled < amount ? 'partially_cancelled' : status;
}

/** Both sides have the same payments, and one for each order. */
function comparePayments(payments: readonly ServicePayment[], stored: readonly Payment[]): string[] {
  const known = new Map(stored.map((each) => [each.svc_uid, each]));
  const counts = new Map<string, number>();
  for (const { merchant_uid: uid } of payments) counts.set(uid, (counts.get(uid) ?? 0) + 1);
  const atService = new Set(payments.map(({ svc_uid }) => svc_uid));
  return [
    ...[...counts]
      .filter(([, count]) => count > 1)
      .map(([uid, count]) => `doubled: ${count} payments of ${uid}`),
    ...payments.flatMap((payment) => {
      const { svc_uid: uid, status, cancel_amount: cancelled } = payment;
      const row = known.get(uid);
      if (!row) return [`lost: payment ${uid} of ${payment.merchant_uid}`];
      if (row.status === status && row.cancelled === cancelled) return [];
      return [`payment ${uid} is ${row.status} ${row.cancelled}, not ${status} ${cancelled}`];
    }),
    ...stored
      .filter(({ svc_uid }) => !atService.has(svc_uid))
      .map(({ svc_uid }) => `invented: payment ${svc_uid}`),
  ];
}

/** Every acknowledged charge and every charge marked as paid has moved money. */
function compareCharges(
  ledger: Ledger,
  charges: readonly Charge[],
  payments: readonly ServicePayment[],
): string[] {
  const paid = new Set(payments.map(({ merchant_uid }) => merchant_uid));
  const said = charges.filter(({ status }) => status === 'paid').map(({ merchant_uid }) => merchant_uid);
  const sayers = new Set(said);
  return [
    ...[...ledger.charged].filter((uid) => !sayers.has(uid)).map((uid) => `lost: charge of ${uid}`),
    ...said.filter((uid) => !paid.has(uid)).map((uid) => `charge of ${uid} is paid, and there is no payment`),
    ...charges
      .filter(
        ({ merchant_uid, status }) => status !== 'paid' && status !== 'scheduled' && paid.has(merchant_uid),
      )
      .filter(({ merchant_uid }) => !sayers.has(merchant_uid))
      .map(({ merchant_uid, status }) => `charge of ${merchant_uid} is ${status}, and there is a payment`),
  ];
}

/** Every acknowledged refund was made, and none was made twice. */
function compareRefunds(ledger: Ledger, payments: readonly ServicePayment[]): string[] {
  const back = new Map(payments.map(({ svc_uid, cancel_amount }) => [svc_uid, cancel_amount]));
  return [...ledger.refunds].flatMap(([uid, { amount, isAcknowledged }]) => {
    const given = back.get(uid) ?? 0;
    if (isAcknowledged && given < amount) return [`lost: refund of ${uid}`];
    return given > amount ? [`doubled: refund of ${uid}, ${given} in place of ${amount}`] : [];
  });
}

/** The service has exactly the schedules that the books have. */
function compareSchedules(
  ledger: Ledger,
  charges: readonly Charge[],
  schedules: readonly ServiceSchedule[],
): string[] {
  const waiting = new Set(
    schedules.filter((each) => each.schedule_status === 'scheduled').map(({ merchant_uid }) => merchant_uid),
  );
  const planned = charges.filter(({ kind }) => kind === 'schedule');
  const booked = new Set(
    planned.filter(({ status }) => status === 'scheduled').map(({ merchant_uid }) => merchant_uid),
  );
  const known = new Set(planned.map(({ merchant_uid }) => merchant_uid));
  return [
    ...[...waiting].filter((uid) => !booked.has(uid)).map((uid) => `schedule of ${uid} is in no book`),
    ...[...booked].filter((uid) => !waiting.has(uid)).map((uid) => `lost: schedule of ${uid}`),
    ...[...ledger.schedules].flatMap(([uid, acknowledged]) => {
      if (acknowledged !== null && !known.has(uid)) return [`lost: charge of the schedule of ${uid}`];
      return acknowledged === 'revoked' && waiting.has(uid)
        ? [`schedule of ${uid} was revoked and waits`]
        : [];
    }),
    ...planned
      .filter(
        ({ customer_uid, status }) => status === 'scheduled' && ledger.cards.get(customer_uid) === 'removed',
      )
      .map(({ merchant_uid }) => `schedule of ${merchant_uid} is with a removed card`),
  ];
}

/** Each notification answered with 200 has a row. */
async function compareNotifications({ rows }: Stage, { notified }: Ledger): Promise<string[]> {
  const stored = await rows.query<{ svc_uid: string; count: number }>(
    'select svc_uid, count(*)::int as count from notifications group by svc_uid',
  );
  const counts = new Map(stored.map(({ svc_uid, count }) => [svc_uid, count]));
  return [...notified]
    .filter(([uid, answered]) => (counts.get(uid) ?? 0) < answered)
    .map(([uid, answered]) => `lost: ${answered} notifications of ${uid}, ${counts.get(uid) ?? 0} rows`);
}

/** The service has exactly the keys that are active in the books. */
async function compareCards({ rows }: Stage, { cards }: Ledger, keys: Set<string>): Promise<string[]> {
  const stored = await rows.query<{ customer_uid: string; status: string }>(
    'select customer_uid, status from billing_keys',
  );
  const statuses = new Map(stored.map(({ customer_uid, status }) => [customer_uid, status]));
  return [...cards].flatMap(([uid, acknowledged]) => {
    const isActive = statuses.get(uid) === 'active';
    if (keys.has(uid) && !isActive) return [`orphan: key ${uid}, ${statuses.get(uid) ?? 'without a row'}`];
    if (isActive && !keys.has(uid)) return [`lost: key ${uid}`];
    if (acknowledged === 'registered' && !statuses.has(uid)) return [`lost: card ${uid}`];
    return acknowledged === 'removed' && keys.has(uid) ? [`key ${uid} was removed and is there`] : [];
  });
}

/** Every change of an order has an event, and all events were delivered, in sequence for each order. */
async function compareEvents({ rows, receiver }: Stage): Promise<string[]> {
  const events = await rows.query<{ stream: string; version: number; status: string }>(
    `select e.stream, e.version, e.data->>'status' as status from events e order by e.stream, e.version`,
  );
  const first = new Map<string, number>();
  receiver.received.forEach(({ id }, index) => first.has(id) || first.set(id, index));
  const changed = await rows.query<{ uid: string; status: string }>(
    `select merchant_uid as uid, status from orders where status <> 'open'`,
  );
  const last = new Map(events.map(({ stream, status }) => [stream, status]));
  const problems: string[] = [];
  events.forEach(({ stream, version }, index) => {
    const at = first.get(`${stream}:${version}`);
    const before = events[index - 1];
    if (at === undefined) problems.push(`lost: event ${stream}:${version}`);
    else if (before?.stream === stream && (first.get(`${stream}:${before.version}`) ?? 0) > at)
      problems.push(`event ${stream}:${version} came before ${before.version}`);
  });
  return [
    ...problems,
    ...changed
      .filter(({ uid, status }) => last.get(uid) !== status)
      .map(({ uid, status }) => `lost: event of ${uid}, which is ${status}`),
  ];
}

/** A call that moves money or issues a key is sent once per row. A call with an expired token has no effect (§5.3). */
async function findResent({ rows, sandbox }: Stage): Promise<string[]> {
  const limits = [
    [ISSUE_KEY, 'select count(*)::int as count from billing_key_issuances'],
    [CHARGE_KEY, `select count(*)::int as count from charges where kind = 'again'`],
    ['POST /payments/cancel', 'select count(*)::int as count from refunds'],
    [
      'POST /subscribe/payments/schedule',
      `select count(*)::int as count from charges where kind = 'schedule'`,
    ],
  ] as const;
  const problems: string[] = [];
  for (const [endpoint, sql] of limits) {
    const sent = (await sandbox.requests(endpoint)) - (await sandbox.requests(endpoint, 401));
    const [row] = await rows.query<{ count: number }>(sql);
    if (sent > (row?.count ?? 0)) problems.push(`doubled: ${sent} times ${endpoint}, ${row?.count} rows`);
  }
  return problems;
}

/** No row needs a person because of a kill. */
async function findReviews({ rows }: Stage): Promise<string[]> {
  const found = await rows.query<{ what: string }>(
    `select 'charge ' || id || ' needs_review' as what from charges where status = 'needs_review'
     union all select 'refund ' || id || ' needs_review' from refunds where status = 'needs_review'
     union all select 'issuance ' || id || ' needs_review' from billing_key_issuances where status = 'needs_review'
     union all select kind || ' of ' || svc_uid || ' for ' || merchant_uid from discrepancies where resolved_at is null`,
  );
  return found.map(({ what }) => what);
}
