// The kill loop: under 16 clients, two merchant processes are killed with `kill -9` at random moments, PostgreSQL is killed and
// stopped, and the service has outages. At the end everything runs again, time passes until nothing is open, and the books are
// compared with the service and with the answers that the clients got.

import { setTimeout as pause } from 'node:timers/promises';
import { CHARGE_KEY, FETCH_PAYMENT, ISSUE_KEY } from '../../../test/support/sandbox-controls';
import { seededRandom, type Random } from '../seeded-random';
import { chargeAndRefund, payAndNotify, registerAndRemoveCard, scheduleAndRevoke } from './clients';
import { startCrowd } from './crowd';
import { finish, type Finished } from './finish';
import { OUTAGES } from './killable-postgres';
import { createLedger } from './ledger';
import { findHeldJobs } from './pass-time';
import { startStage, type Stage } from './stage';

export type KillLoopOptions = {
  kills: number;
  seed: number;
  /** The number of kills per outage of each. */
  killsPerOutage: { service: number; database: number };
  /** The longest outage of the service and PostgreSQL. */
  longestAwayMs: number;
  /** No kills after this time; the report has their number. A busy machine starts few processes a minute. */
  killForMs?: number;
  onProgress?: (kills: number) => void;
};

export type KillReport = Finished & { kills: number; databaseOutages: number; serviceOutages: number };

const CROWD = {
  /** 16 in all. */
  clients: [
    ['notify', payAndNotify, 6],
    ['charge', chargeAndRefund, 4],
    ['card', registerAndRemoveCard, 3],
    ['schedule', scheduleAndRevoke, 3],
  ],
  pauseMs: [50, 250],
} as const;

/** Endpoints that sometimes have faults, so that more kills happen during a call. */
const BENT = [
  ISSUE_KEY,
  CHARGE_KEY,
  FETCH_PAYMENT,
  'POST /payments/cancel',
  'POST /subscribe/payments/schedule',
  'DELETE /subscribe/customers/:customer_uid',
] as const;

const LONG_OUTAGE = 0.2;
const SHORT_OUTAGE_MS = 2_000;

export async function runKillLoop(options: KillLoopOptions): Promise<KillReport> {
  const random = seededRandom(options.seed);
  const stage = await startStage();
  try {
    const ledger = createLedger();
    const crowd = await startCrowd({ stage, ledger, seed: options.seed, ...CROWD });
    const broken = await crowd.during((failed) => breakThings(stage, random, options, failed));
    return { ...broken, ...(await finish(stage, ledger, await killBoth(stage))) };
  } finally {
    await stage.close();
  }
}

async function breakThings(stage: Stage, random: Random, options: KillLoopOptions, failed: AbortSignal) {
  const { killsPerOutage } = options;
  const counts = { kills: 0, databaseOutages: 0, serviceOutages: 0 };
  const away = () =>
    random.between(
      300,
      random.chance(LONG_OUTAGE) ? options.longestAwayMs : Math.min(SHORT_OUTAGE_MS, options.longestAwayMs),
    );
  // Outages and starts continue during the next kill.
  const outages = { database: none(), service: none() };
  const starts = new Map(stage.slots.map((slot) => [slot, Promise.resolve()]));
  const until = performance.now() + (options.killForMs ?? Number.POSITIVE_INFINITY);
  while (counts.kills < options.kills && performance.now() < until && !failed.aborted) {
    await pause(random.between(20, 500));
    if (random.chance(0.5)) await bendAnswer(stage, random);
    const both = random.chance(0.2) && counts.kills + 2 <= options.kills;
    const doomed = both ? stage.slots : [random.pick(stage.slots)];
    await Promise.all(doomed.map((slot) => starts.get(slot) ?? Promise.resolve()));
    await Promise.all(doomed.map((slot) => stage.kill(slot)));
    for (const slot of doomed) starts.set(slot, stage.startAgain(slot));
    counts.kills += doomed.length;
    options.onProgress?.(counts.kills);
    if (!outages.service && isDue(counts.kills, counts.serviceOutages, killsPerOutage.service)) {
      counts.serviceOutages += 1;
      outages.service = asLongAgain(() => cutLine(stage, away())).then(() => void (outages.service = null));
    }
    if (!outages.database && isDue(counts.kills, counts.databaseOutages, killsPerOutage.database)) {
      const outage = OUTAGES[counts.databaseOutages % OUTAGES.length] ?? 'crash';
      counts.databaseOutages += 1;
      outages.database = asLongAgain(() => stage.postgres.breakDown(outage, away())).then(
        () => void (outages.database = null),
      );
    }
  }
  await outages.database;
  await outages.service;
  await Promise.all(starts.values());
  return counts;
}

const none = (): Promise<void> | null => null;

/** After an outage, the same time passes before the next one; otherwise nothing would be acknowledged. */
async function asLongAgain(outage: () => Promise<void>): Promise<void> {
  const startedMs = performance.now();
  await outage();
  await pause(performance.now() - startedMs);
}

const isDue = (kills: number, outages: number, every: number): boolean => kills >= (outages + 1) * every;

async function bendAnswer({ sandbox }: Stage, random: Random): Promise<void> {
  const fault = random.chance(0.5) ? { kind: 'lost_response' } : { kind: 'delay', delay_ms: 400 };
  await sandbox.fault({ endpoint: random.pick(BENT), ...fault });
}

async function cutLine({ line }: Stage, awayMs: number): Promise<void> {
  line.setCut(true);
  await pause(awayMs);
  line.setCut(false);
}

/** The last kill is of both merchants, so that every locked job belongs to a killed process. */
async function killBoth({ rows, sandbox, slots, kill, startAgain }: Stage): Promise<string[]> {
  await sandbox.clearFaults();
  await Promise.all(slots.map(kill));
  const dead = await findHeldJobs(rows);
  await Promise.all(slots.map(startAgain));
  return dead;
}
