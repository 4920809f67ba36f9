// Reads the gauges when `/metrics` is asked. A storm of requests costs the database one reading in a few seconds, and a
// database that does not answer costs the request two seconds.

import type { Context } from '../../platform/context';
import { DatabaseError } from '../../platform/errors';
import { readFigures } from '../../platform/gauge-store';
import type { Readiness } from '../../platform/readiness';
import { gaugesText, type Reading } from './gauges';

/** A reading, good or not, is shown for this long. Prometheus asks every 15 s or more seldom. */
const KEPT_MS = 5_000;
/** Less than the time that Prometheus waits for an answer (10 s), and than the driver waits for a connection. */
const ANSWER_WITHIN_MS = 2_000;

/** @returns the text of the gauges, at any time and from any number of callers */
export function createGauges(context: Context, readiness: Readiness): () => Promise<string> {
  const { clock } = context;
  let kept: { text: string; readAtMs: number } | null = null;
  let underWay: Promise<string> | null = null;

  async function read(): Promise<string> {
    const [reading, reasons] = await Promise.all([
      within(ANSWER_WITHIN_MS, readDatabase(context)),
      within(ANSWER_WITHIN_MS, readiness.reasonsNotReady()),
    ]);
    const text = await gaugesText(context.features, reading, reasons?.length === 0);
    kept = { text, readAtMs: clock.monotonicMs() };
    return text;
  }

  return async () => {
    if (kept && clock.monotonicMs() - kept.readAtMs < KEPT_MS) return kept.text;
    underWay ??= read().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}

async function readDatabase(context: Context): Promise<Reading | null> {
  const now = context.clock.now();
  try {
    const [figures, jobs] = await Promise.all([readFigures(context), context.jobs.readFigures(now)]);
    return { figures, jobs, now };
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    context.logger.warn({ event: 'gauges_not_read', err: error });
    return null;
  }
}

/** The result, or null if it takes longer. A host timer, not the clock: it bounds how long a socket is held. */
async function within<T>(limitMs: number, work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), limitMs);
  });
  // One that fails after the limit has been answered already; another reading follows.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
