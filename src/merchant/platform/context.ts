// The dependencies of the merchant. There is one Context per process, the first argument of every use case and store;
// tests pass one with their own clock, database and service URL.

import type { Prisma } from '../../generated/prisma/client';
import type { PrismaPromise } from '../../generated/prisma/internal/prismaNamespace';
import { createPaymentService, type PaymentService } from '../payment-service/payment-service';
import type { Clock } from './clock';
import type { Config } from './config';
import { openDatabase, type Database, type Transaction } from './database';
import { createJobs, type JobKind, type Jobs, type JobTask, type Task } from './jobs';
import type { Logger } from './logger';
import { createMetrics, platformCounters, type CounterRows, type Metrics } from './metrics';
import type { OperatorRecords } from './operator-records';
import type { PersonalData, Waiting } from './personal-data';
import type { FeatureSettings } from './settings';

export type Context = {
  config: Config;
  /** Used by the stores (`*-store.ts`), and by a shop's own files for its own tables. */
  database: Database;
  service: PaymentService;
  jobs: Jobs;
  metrics: Metrics;
  /** The shop's time: when something happened, and what is due by its date. A person can move it in the sandbox. */
  clock: Clock;
  /**
   * Real time, also while `clock` is moved. For what the shop's dates do not decide: when something is tried again, how
   * long a session, a form or a limit lasts, and signatures. On one clock, everything written while it was ahead would
   * wait for that date after it is put back, and others would refuse our signatures. The same clock in production.
   */
  realClock: Clock;
  logger: Logger;
  /** In the order of `features.ts`. */
  features: readonly FeatureRows[];
  /** What this process remembers besides its rows, by the function that creates it: see `stateOf`. */
  state: Map<unknown, unknown>;
};

/**
 * The state that a module keeps in this process. Two contexts in one process do not share it.
 * @param create called once for each context
 */
export function stateOf<State>(context: Context, create: (context: Context) => State): State {
  if (!context.state.has(create)) context.state.set(create, create(context));
  return context.state.get(create) as State;
}

/** What a caller of the JSON API may do. Each route declares one scope (`http/api-route.ts`); a key has several. */
export const SCOPES = ['read', 'orders', 'charge', 'refund', 'members', 'keys'] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * Who calls the JSON API. The name is for the log. `refundLimit`: won that it may refund of one payment; null for no limit.
 */
export type Caller = { name: string; scopes: readonly Scope[]; refundLimit: number | null };

/** What a feature adds besides its routes: `http/feature-type.ts` has the whole type. */
export type FeatureRows = {
  name: string;
  settings?: FeatureSettings;
  jobs?: readonly Job[];
  /**
   * Called with each event, in the order of the features, before the first handler. If it throws, the event is delivered
   * again.
   */
  onEvent?(event: FeatureEvent, context: Context): Promise<void>;
  /** Called after a person has decided about an attempt. */
  onDecision?(context: Context, attempt: { merchant_uid?: unknown }): Promise<void>;
  /** The shop's handlers, by name. Each event is delivered to each of them, and retried, on its own. */
  eventHandlers?: Readonly<Record<string, FeatureEventHandler>>;
  /** Every column of its tables, and what an erasure replaces personal values with. */
  personalData?: PersonalData;
  /** The owner of a key of the JSON API, besides API_KEY; null if it is none of this feature's. */
  findCaller?(context: Context, key: string): Promise<Caller | null>;
  /** Its request for a billing key that is issued in the payment window; null if it is none of this feature's. */
  findKeyRequest?(context: Context, customerUid: string): Promise<KeyRequest | null>;
  /** SQL for events: the id of its subscription that the order `o` pays for; null if there is none. */
  subscriptionOfOrder?: Prisma.Sql;
  /** For an option with rows of its own about a member: how they end and are erased. */
  memberRows?: MemberRows;
  /** What a member's cards pay for, besides single orders: the member's pages name it. */
  cardUses?(context: Context, memberId: string): Promise<CardUse[]>;
  /** Its counters, for `/metrics`. */
  counters?: CounterRows;
  /** Its gauges of waiting rows, for `/metrics`. */
  gauges?: Gauges;
  /** Its items in the operators' action queue. */
  actionQueue?: ActionQueue;
  /** Its rows, for the operators' lists, pages, search and overview. */
  operatorRecords?: OperatorRecords<Context>;
  /** Pages of another option, behind the operators' sign-in. */
  operatorPages?: OperatorPages;
  /** Known texts of rows. A page shows them in the reader's language, who also finds them in it. */
  phrases?(config: Config): readonly Readonly<Record<'ko' | 'en', string>>[];
  /** Where it shows a payment, for the operators' page of it and `npm run explain`. */
  paymentLinks?(context: Context, payment: SeenPayment): Promise<readonly PaymentLink[]>;
  /** The address of its page about the error codes of the API, up to the code: "/docs#error-". */
  errorDocs?: string;
  /** A path of each part that buyers do not need: a proxy keeps it inside, and `npm run doctor -- --live` asks for it. */
  keptInside?: readonly string[];
  /** Its line in `npm run doctor`. @throws DatabaseError */
  check?(context: Context): Promise<FeatureCheck>;
  /** The name of its program `command.ts`, as one types it. */
  command?: string;
  /** A clock to use instead of the host's; null if these settings need none. */
  clock?(host: Clock, config: Config): Clock | null;
  /**
   * What it does besides requests and jobs, until the signal is aborted. Null: for a command, which waits for it before its
   * work begins. Never rejects.
   */
  start?(context: Context, signal: AbortSignal | null): Promise<void>;
};

/** Who asked for a billing key (§1), and the payment with which the payment window issues it. */
export type KeyRequest = { memberId: string; merchantUid: string; amount: number; expiresAt: Date };

/** `page`: a page of this server, such as that of a plan. */
export type CardUse = { customerUid: string; name: string; page: string };

/** `fix`: what to do about it. */
export type FeatureCheck = { name: string; state: 'ok' | 'warning'; says: string; fix?: string };

export type Job = JobKind & { run: (context: Context, ...task: Parameters<JobTask>) => Promise<void> };

export type SeenPayment = {
  svcUid: string;
  merchantUid: string;
  /** The URL before a path, as the reader has reached this server. */
  ownUrl: string;
};

/** Where else a payment is seen: in a shop, in a console, in a ledger. */
export type PaymentLink = {
  name: Readonly<Record<'ko' | 'en', string>>;
  /** One of our paths, or a URL of another server. */
  href: string;
  /** Of a movement of money. */
  at?: Date;
  amount?: number;
  currency?: string;
};

export type OperatorPages = {
  /** Of the page to which the navigation leads. */
  path: string;
  /** In the navigation. */
  name: Readonly<Record<'ko' | 'en', string>>;
  /** The group of the navigation that has it; default: `settings`. */
  group?: 'money' | 'settings';
  /** Their type stands beside the operators' sign-in, which can be removed. */
  routes: readonly object[];
};

export type MemberRows = {
  exist(context: Context, memberId: string): Promise<boolean>;
  /**
   * Ends everything that could still move money. Once `isOver` returns true, the rest waits for the next try. Returns
   * what waits.
   */
  end(context: Context, memberId: string, isOver: () => boolean): Promise<Waiting[]>;
  /** Returns false, and changes nothing, if something could still move money. */
  erase(context: Context, run: Transaction, memberId: string): Promise<boolean>;
};

/** Gauges that one statement reads. All processes of one database show the same values. */
export type Gauges = {
  /** By name. */
  rows: Readonly<Record<string, GaugeRow>>;
  /** Returns one row with a column per gauge. `now` is the shop's time, like the times that rows were written at. */
  read(context: Context, now: Date): PrismaPromise<GaugeColumns[]>;
};

export type GaugeRow = {
  help: string;
  /** Absent if there is only one value. Each of `values` has a figure, even if the statement counts none. */
  label?: { name: string; values: readonly string[] };
  /** It counts what `findWaiting` of an action queue finds. */
  isQueue?: boolean;
};

/** A number, or one per value of the label. */
export type GaugeColumns = Readonly<Record<string, number | Readonly<Partial<Record<string, number>>>>>;

/** Items of one kind that wait for an operator. */
export type ActionQueue = {
  /** The name, in URLs, of their actions and of the list that has all of them. */
  kind: string;
  /** The subject of operators' notes about them; null if there are none. */
  subject: 'discrepancy' | 'charge' | 'refund' | 'issuance' | null;
  /** Items that only a person can resolve. At most `limit` per section. */
  findWaiting(context: Context, limit: number): Promise<QueueSection[]>;
  /** Items whose outcome the polls should have recorded by now, oldest first. Absent if nothing is polled for. */
  findStuck?(context: Context): Promise<readonly QueueItem[]>;
};

export type QueueSection = {
  items: readonly QueueItem[];
  hasMore: boolean;
  /** With these filters, the list shows the whole section. */
  filters: Readonly<Record<string, string>>;
  /**
   * For a queue with several sections. `isLast` marks items that can wait, so that a flood of them does not hide those
   * about money.
   */
  group?: { name: string; count: number; isLast: boolean };
};

export type QueueItem = { id: string };

/** The fields of an event that features read: `shop/event.ts` has the types. */
export type FeatureEvent = {
  type: string;
  data: { member_id: string | null; merchant_uid?: string; subscription_id?: string | null };
};

/** The type of a method, because only its parameters may be narrower: the shop's handlers take the types of `shop/event.ts`. */
export type FeatureEventHandler = { handle(event: FeatureEvent, context: Context): Promise<void> }['handle'];

/**
 * Opens no connections: database and jobs connect when first used.
 * @param realClock if `clock` can be moved
 */
export function createContext(
  outside: Pick<Context, 'config' | 'clock' | 'logger' | 'features'>,
  realClock: Clock = outside.clock,
): Context {
  const { config, logger } = outside;
  const metrics = createMetrics(outside.features);
  return {
    ...outside,
    realClock,
    database: openDatabase(config.databaseUrl, { isPooled: config.databaseIsPooled }),
    service: createPaymentService({
      service: config.service,
      proxy: config.serviceProxy,
      clock: realClock,
      includeTestChannel: !config.production,
      onCall: ({ method, path, status, error }) =>
        metrics.count(platformCounters.serviceCalls, {
          operation: `${method} ${path}`,
          result: error ?? String(status),
        }),
    }),
    jobs: createJobs(config.databaseDirectUrl, logger, realClock),
    metrics,
    state: new Map(),
  };
}

/** Lets running jobs finish, then closes the connections. */
export async function closeContext({ jobs, database }: Context): Promise<void> {
  await jobs.stop();
  await database.$disconnect();
}

/** The tasks of the job engine. */
export function tasksOf(context: Context): Task[] {
  return context.features.flatMap(({ jobs = [] }) =>
    jobs.map(({ run, ...kind }) => ({ ...kind, run: (...task) => run(context, ...task) })),
  );
}

/** The host's clock, or the one that a feature replaces it with. */
export function clockOf(features: readonly FeatureRows[], host: Clock, config: Config): Clock {
  return features.reduce((clock, feature) => feature.clock?.(clock, config) ?? clock, host);
}
