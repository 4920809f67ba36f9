// Measures the statements of the recurring jobs, and one pass of retention.

import {
  findDifferences,
  findFirstOrderTime,
  findOfRegisteredOrders,
} from '../../../src/merchant/core/reconciliation/reconciliation-store';
import { FEATURES } from '../../../src/merchant/features';
import { systemClock } from '../../../src/merchant/platform/clock';
import { closeContext, createContext, tasksOf, type Context } from '../../../src/merchant/platform/context';
import { readFigures } from '../../../src/merchant/platform/gauge-store';
import { testConfig } from '../../../test/support/config';
import { createRecordedLog } from '../../../test/support/log';
import { median } from '../load';
import type { Timed } from './lists';
import type { BookSizes } from './old-books';

const TIMES = 10;
const PAGE = 1_000;
/** Reconciliation mostly waits for the service, so its statements are timed one by one. Retention is measured separately. */
const NOT_AS_A_WHOLE: string[] = ['reconcile', 'delete-old-rows'];

export async function withContext<Result>(
  environment: Record<string, string>,
  act: (context: Context) => Promise<Result>,
): Promise<Result> {
  const context = createContext({
    config: testConfig({ ...environment, SERVICE_NAME_PREFIX: 'svc' }),
    clock: systemClock,
    logger: createRecordedLog('silent').logger,
    features: FEATURES,
  });
  try {
    return await act(context);
  } finally {
    await closeContext(context);
  }
}

/** The median in milliseconds of every scheduled job, and of the statements of reconciliation. */
export async function timeJobs(context: Context, { payments, orders }: BookSizes): Promise<Timed[]> {
  const stopping = new AbortController().signal;
  const steps: [string, () => Promise<unknown>][] = tasksOf(context)
    .filter(({ name, crontab }) => crontab !== null && !NOT_AS_A_WHOLE.includes(name))
    .map(({ name, run }) => [`job ${name}`, () => run(stopping, {})]);
  const listed = Array.from({ length: PAGE }, (_, index) => {
    const number = Math.max(1, Math.floor(payments / 2) + index);
    const order = Math.floor(((number - 1) * orders) / payments) + 1;
    return {
      svcUid: `svc_${String(number).padStart(12, '0')}`,
      merchantUid: `old-${String(order).padStart(9, '0')}`,
      status: 'failed' as const,
      amount: 12_000,
      cancelAmount: 0,
      currency: 'KRW',
    };
  });
  steps.push(
    ['reconciliation: compare a page of 1,000', () => findDifferences(context, listed)],
    ['reconciliation: orders registered since', () => findOfRegisteredOrders(context)],
    ['reconciliation: first order', () => findFirstOrderTime(context)],
    ['figures for /metrics', () => readFigures(context)],
  );
  const timed: Timed[] = [];
  for (const [what, step] of steps) {
    const times: number[] = [];
    for (let number = 0; number < TIMES; number += 1) {
      const started = performance.now();
      await step();
      times.push(performance.now() - started);
    }
    timed.push({ what, p95: median(times) });
  }
  return timed;
}

/** Runs one pass and returns its seconds. */
export async function deleteOnce(context: Context): Promise<number> {
  const started = performance.now();
  await tasksOf(context)
    .find(({ name }) => name === 'delete-old-rows')
    ?.run(new AbortController().signal, {});
  return (performance.now() - started) / 1_000;
}
