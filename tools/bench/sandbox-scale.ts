// The sandbox with a million payments: memory, start and stop with saved state, and the cost of a page of §4.5 in the middle,
// compared with a thousand payments. Run: npm run bench -- sandbox [payments]

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPaymentStore } from '../../src/sandbox/payments/payment-store';
import { startPayment } from '../../src/sandbox/payments/start-payment';
import { createDataFolder } from '../../src/sandbox/state/data-folder';
import { startSandboxProcess } from '../../test/support/processes';

const FEW = 1_000;
const MANY = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = 400;
const SPREAD_SECONDS = 80 * 86_400;
const LIMITS = { megabytes: 1_500, ratio: 5, startMs: 5_000, stopMs: 5_000 };

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-scale-'));
  try {
    const few = await measure(join(folder, 'few'), FEW);
    const many = await measure(join(folder, 'many'), MANY);
    const ratio = many.pageMs / few.pageMs;
    console.table({ [`${FEW} payments`]: few, [`${MANY} payments`]: many });
    console.log(
      `page in the middle: ${ratio.toFixed(2)} times the page of ${FEW} payments (limit ${LIMITS.ratio})`,
    );
    const fits =
      ratio <= LIMITS.ratio &&
      many.peakMegabytes <= LIMITS.megabytes &&
      many.startMs <= LIMITS.startMs &&
      many.stopMs <= LIMITS.stopMs;
    console.log(fits ? 'all limits kept' : `limits broken: ${JSON.stringify(LIMITS)}`);
    process.exitCode = fits ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(folder: string, payments: number) {
  const filledMs = fill(folder, payments);
  const startedAt = performance.now();
  const sandbox = await startSandboxProcess({ dataDir: folder });
  const startMs = Math.round(performance.now() - startedAt);
  const pageMs = await pageCost(sandbox.url, payments);
  const peakMegabytes = Math.round(peakKilobytes(sandbox.pid) / 1024);
  const stoppingAt = performance.now();
  await sandbox.kill('SIGTERM');
  const stopMs = Math.round(performance.now() - stoppingAt);
  return { filledMs, startMs, pageMs, peakMegabytes, stopMs };
}

/** Four in five are paid, some long after their start, so that sort time and search time differ. */
function fill(folder: string, payments: number): number {
  const started = performance.now();
  mkdirSync(folder, { recursive: true });
  const store = createPaymentStore(createDataFolder(folder), (digits) => `svc_${digits}`);
  const first = Math.floor(Date.now() / 1000) - SPREAD_SECONDS;
  for (let number = 0; number < payments; number += 1) {
    const at = first + Math.floor((number * SPREAD_SECONDS) / payments);
    const status = (['paid', 'paid', 'paid', 'ready', 'failed'] as const)[number % 5] ?? 'paid';
    const given = {
      merchantUid: `order-${number}`,
      amount: 1_000 + (number % 900),
      channel: 'pc' as const,
      status,
    };
    const payment = store.add(
      startPayment({ ...given, name: '테스트 상품', customerUid: `card-${number % 5_000}` }, at),
    );
    const paidAt = Math.min(at + (number % 7_200), first + SPREAD_SECONDS);
    if (status === 'ready') store.change(payment, { status: 'paid', paidAt, updatedAt: paidAt });
  }
  store.close();
  return Math.round(performance.now() - started);
}

/** The median over the statuses, orders and periods that a reconciliation asks for, each in the middle of its pages. */
async function pageCost(url: string, payments: number): Promise<number> {
  const answer = await fetch(`${url}/users/getToken`, {
    method: 'POST',
    body: new URLSearchParams({ svc_key: 'sandbox_key', svc_secret: 'sandbox_secret' }),
  });
  const { response } = (await answer.json()) as { response: { access_token: string; now: number } };
  const headers = { authorization: `Bearer ${response.access_token}` };
  const from = response.now - SPREAD_SECONDS / 2;
  const middle = Math.floor(payments / 20 / 4);
  const queries = [
    `all?page=${middle}`,
    `all?page=${middle}&sorting=-updated`,
    `paid?page=${middle}&sorting=-paid`,
    `paid?page=${Math.floor(middle / 2)}&from=${from}&to=${response.now}`,
  ];
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now();
    const page = await fetch(`${url}/payments/status/${queries[round % queries.length]}`, { headers });
    await page.text();
    if (page.status !== 200) throw new Error(`a page was answered with ${page.status}`);
    times.push(performance.now() - started);
  }
  return Number((times.sort((one, other) => one - other)[ROUNDS / 2] ?? 0).toFixed(2));
}

/** Only Linux reports the peak; elsewhere the figure is left out. */
function peakKilobytes(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return Number.NaN;
  }
}

void main();
