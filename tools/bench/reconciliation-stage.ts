// The set-up for tools/bench/reconciliation-repair.ts: a sandbox with payments, a database with all of them except the lost ones, and a
// comparison of both sides that shares no code with the product.

import { mkdirSync } from 'node:fs';
import { Pool } from 'pg';
import { judgePayment } from '../../src/merchant/core/payments/judge-payment';
import { readSnapshot, type Snapshot } from '../../src/merchant/core/payments/payment-store';
import { writeVerdict, type JudgedPayment } from '../../src/merchant/core/payments/verdict-store';
import { FEATURES } from '../../src/merchant/features';
import type { PaymentService } from '../../src/merchant/payment-service/payment-service';
import type { PaymentRecord } from '../../src/merchant/payment-service/records/payment-record';
import { systemClock } from '../../src/merchant/platform/clock';
import type { Config } from '../../src/merchant/platform/config';
import { closeContext, createContext } from '../../src/merchant/platform/context';
import { createLogger } from '../../src/merchant/platform/logger';
import { createPaymentStore } from '../../src/sandbox/payments/payment-store';
import { startPayment } from '../../src/sandbox/payments/start-payment';
import { createDataFolder } from '../../src/sandbox/state/data-folder';

const SPREAD_SECONDS = 80 * 86_400;
const PAGE = 1000;
const STATUSES = ['ready', 'paid', 'cancelled', 'failed'] as const;

/** Of ten payments seven are paid, one is cancelled (every other one in part), one has failed, one awaits its deposit. */
export function fillSandbox(folder: string, payments: number): void {
  mkdirSync(folder, { recursive: true });
  const store = createPaymentStore(createDataFolder(folder), (digits) => `svc_${digits}`);
  const first = Math.floor(Date.now() / 1000) - SPREAD_SECONDS;
  for (let number = 0; number < payments; number += 1) {
    const at = first + Math.floor((number * SPREAD_SECONDS) / payments);
    const kind = number % 10;
    const status = kind === 8 ? 'failed' : kind === 9 ? 'ready' : 'paid';
    const amount = 1000 + (number % 900);
    const draft = startPayment(
      { merchantUid: `order-${number}`, amount, channel: 'pc', status, name: 'Tea' },
      at,
    );
    const payment = store.add(draft);
    if (kind !== 7) continue;
    const cancelledAt = Math.min(at + 3_600, first + SPREAD_SECONDS);
    const back = number % 20 === 7 ? amount : 400;
    const cancellations = [{ amount: back, taxFree: 0, at: cancelledAt, reason: 'returned' }];
    store.change(payment, { status: 'cancelled', cancelledAt, updatedAt: cancelledAt, cancellations });
  }
  store.close();
}

/** Writes all orders, and verifies and writes all payments except the lost ones, a thousand at a time. */
export async function fillBooks(
  config: Config,
  pool: Pool,
  payments: number,
  isLost: (order: string) => boolean,
) {
  await pool.query(
    `insert into orders (merchant_uid, name, amount, currency, created_at, updated_at)
     select 'order-' || n, 'Tea', 1000 + n % 900, 'KRW', $2, $2 from generate_series(0, $1::int - 1) n`,
    [payments, new Date(Date.now() - SPREAD_SECONDS * 1000)],
  );
  const context = createContext({
    config,
    clock: systemClock,
    logger: createLogger('silent'),
    features: FEATURES,
  });
  for await (const list of pagesOf(context.service)) {
    const notified = list.filter(({ merchantUid }) => !isLost(merchantUid));
    await Promise.all(
      notified.map(async (record) => {
        const { svcUid, merchantUid } = record;
        const snapshot = await readSnapshot(context, { svcUid, merchantUid });
        await writeVerdict(context, judged(record, snapshot));
      }),
    );
  }
  await closeContext(context);
  await pool.query('vacuum analyze');
}

async function* pagesOf(service: PaymentService): AsyncGenerator<PaymentRecord[]> {
  for (const status of STATUSES) {
    for (let page = 1; page > 0;) {
      const { list, next } = await service.getPaymentsByStatus(status, {
        page,
        limit: PAGE,
        sorting: 'updated',
      });
      yield list;
      page = next;
    }
  }
}

function judged(record: PaymentRecord, snapshot: Snapshot): JudgedPayment {
  const reported = { svcUid: record.svcUid, merchantUid: record.merchantUid };
  const evidence = { reported, snapshot, record, showsPayer: true, channel: 'live', keyOwner: null } as const;
  const verdict = judgePayment({ ...evidence, issuedKey: null, confirmed: false, acceptsTestPayments: true });
  if (verdict.outcome !== 'recorded') throw new Error(`a payment was judged ${verdict.outcome}`);
  const now = new Date();
  return { reported, verdict, order: snapshot.order, fetchedAt: now, refundId: null };
}

type Row = { svc_uid: string; merchant_uid: string; status: string; amount: number; cancel_amount: number };

/** The payments and order states of each side, one line each, sorted. */
export async function bothSides(url: string, pool: Pool): Promise<{ service: string[]; books: string[] }> {
  const service: string[] = [];
  for await (const rows of downloadPages(url, ['all']))
    service.push(...rows.map((row) => line(row, orderOf(row))));
  const { rows } = await pool.query<Row & { order: string }>(
    `select p.svc_uid, p.merchant_uid, p.status, p.amount, p.cancel_amount, o.status as order
     from payments p join orders o using (merchant_uid)`,
  );
  return { service: service.sort(), books: rows.map((row) => line(row, row.order)).sort() };
}

const line = (row: Row, order: string) =>
  [row.svc_uid, row.merchant_uid, row.status, row.amount, row.cancel_amount, order].join(' ');

function orderOf({ status, amount, cancel_amount }: Row): string {
  if (status === 'ready') return 'awaiting_deposit';
  return status === 'cancelled' && cancel_amount < amount ? 'partially_cancelled' : status;
}

/** The bare loop: with one token, downloads and parses pages of a thousand, and reads only the number of the next page. */
export async function* downloadPages(
  url: string,
  statuses: readonly string[] = STATUSES,
): AsyncGenerator<Row[]> {
  const credentials = new URLSearchParams({ svc_key: 'sandbox_key', svc_secret: 'sandbox_secret' });
  const signedIn = await fetch(`${url}/users/getToken`, { method: 'POST', body: credentials });
  const { response } = (await signedIn.json()) as { response: { access_token: string } };
  const headers = { authorization: `Bearer ${response.access_token}` };
  for (const status of statuses) {
    for (let page = 1; page > 0;) {
      const answer = await fetch(
        `${url}/payments/status/${status}?limit=${PAGE}&page=${page}&sorting=updated`,
        { headers },
      );
      const { response: found } = (await answer.json()) as { response: { list: Row[]; next: number } };
      yield found.list;
      page = found.next;
    }
  }
}
