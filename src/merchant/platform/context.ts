// What the merchant needs from outside. It is made once per process and is the first argument of every use case and
// store; tests pass one with their own clock, database and service address.

import type { NoteSubject } from '../../generated/prisma/client';
import type { PrismaPromise } from '../../generated/prisma/internal/prismaNamespace';
import { createPaymentService, type PaymentService } from '../payment-service/payment-service';
import type { Clock } from './clock';
import type { Config } from './config';
import { openDatabase, type Database, type Transaction } from './database';
import { createJobs, type JobKind, type Jobs, type JobTask, type Task } from './jobs';
import type { Logger } from './logger';
import { createMetrics, platformCounters, type CounterRows, type Metrics } from './metrics';
import type { PersonalData, Waiting } from './personal-data';

export type Context = {
  config: Config;
  /** Used by the stores (`*-store.ts`), and by a shop's own files for tables of its own. */
  database: Database;
  service: PaymentService;
  jobs: Jobs;
  metrics: Metrics;
  clock: Clock;
  logger: Logger;
  /** In the order of `features.ts`. */
  features: readonly FeatureRows[];
};

/** What a feature adds beside its routes: `http/feature-type.ts` has the whole. */
export type FeatureRows = {
  name: string;
  jobs?: readonly Job[];
  /** Is called with each event, in the order of the features. An error means that the event is delivered again. */
  onEvent?(event: FeatureEvent, context: Context): Promise<void>;
  /** Every column of its tables, and what an erasure puts in place of what is personal. */
  personalData?: PersonalData;
  /** Of an option that keeps rows of a member by itself: how they end and are erased. */
  memberRows?: MemberRows;
  /** What it counts, for `/metrics`. */
  counters?: CounterRows;
  /** What waits in its tables, for `/metrics`. */
  gauges?: Gauges;
  /** What it puts on the operators' action queue. */
  actionQueue?: ActionQueue;
  /** A clock in place of the host's; null where these settings ask for none. */
  clock?(host: Clock, config: Config): Clock | null;
};

export type Job = JobKind & { run: (context: Context, ...task: Parameters<JobTask>) => Promise<void> };

export type MemberRows = {
  exist(context: Context, memberId: string): Promise<boolean>;
  /** Ends what could still move money. Once `isOver` says so, the rest waits for the next try. Returns what waits. */
  end(context: Context, memberId: string, isOver: () => boolean): Promise<Waiting[]>;
  /** Returns false, and changes nothing, where something could still move money. */
  erase(context: Context, run: Transaction, memberId: string): Promise<boolean>;
};

/** Gauges that one statement reads. All processes of one database show the same. */
export type Gauges = {
  /** By name. */
  rows: Readonly<Record<string, GaugeRow>>;
  /** One row: each gauge is a column of its name. `now` is on the host's clock, as are the times that it is compared with. */
  read(context: Context, now: Date): PrismaPromise<GaugeColumns[]>;
};

export type GaugeRow = {
  help: string;
  /** Absent where there is one value only. Of `values` each has a figure, also where the statement counts none. */
  label?: { name: string; values: readonly string[] };
};

/** A number, or one for each value of the label. */
export type GaugeColumns = Readonly<Record<string, number | Readonly<Partial<Record<string, number>>>>>;

/** What waits for an operator, of one kind. */
export type ActionQueue = {
  /** The name of the list that has all of them, in addresses. */
  kind: string;
  /** What operators' notes about them are about. */
  subject: NoteSubject;
  /** What only a person can decide. Of each section, `limit` items at most. */
  findWaiting(context: Context, limit: number): Promise<QueueSection[]>;
  /** What the polls should have settled by now, the oldest first. Absent where nothing is polled for. */
  findStuck?(context: Context): Promise<readonly QueueItem[]>;
};

export type QueueSection = {
  items: readonly QueueItem[];
  hasMore: boolean;
  /** With these, the list shows all of the section. */
  filters: Readonly<Record<string, string>>;
  /** Of a queue with several sections. Shown last is what may wait: no flood of it hides what is about money. */
  group?: { name: string; count: number; isLast: boolean };
};

export type QueueItem = { id: string };

/** What features read of an event: `shop/event.ts` has the types. */
export type FeatureEvent = { type: string; data: { merchant_uid: string; subscription_id: string | null } };

/**
 * Opens nothing yet: database and jobs connect with their first use.
 * @param databaseClock by which jobs are due, where that is another
 */
export function createContext(
  outside: Pick<Context, 'config' | 'clock' | 'logger' | 'features'>,
  databaseClock: Clock = outside.clock,
): Context {
  const { config, clock, logger } = outside;
  const metrics = createMetrics(outside.features);
  return {
    ...outside,
    database: openDatabase(config.databaseUrl, { isPooled: config.databaseIsPooled }),
    service: createPaymentService({
      service: config.service,
      clock,
      includeTestChannel: !config.production,
      onCall: ({ method, path, status, error }) =>
        metrics.count(platformCounters.serviceCalls, {
          operation: `${method} ${path}`,
          result: error ?? String(status),
        }),
    }),
    jobs: createJobs(config.databaseDirectUrl, logger, { clock, databaseClock }),
    metrics,
  };
}

/** Lets a job under way finish, then closes the connections. */
export async function closeContext({ jobs, database }: Context): Promise<void> {
  await jobs.stop();
  await database.$disconnect();
}

/** What the job engine runs. */
export function tasksOf(context: Context): Task[] {
  return context.features.flatMap(({ jobs = [] }) =>
    jobs.map(({ run, ...kind }) => ({ ...kind, run: (...task) => run(context, ...task) })),
  );
}

/** The host's clock, or what a feature puts in its place. */
export function clockOf(features: readonly FeatureRows[], host: Clock, config: Config): Clock {
  return features.reduce((clock, feature) => feature.clock?.(clock, config) ?? clock, host);
}
