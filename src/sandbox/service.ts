// The whole state of the service and what acts on it, wired once. Endpoints, controls and console are views of this.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createAccessTokens, type Issuance } from './access/access-token';
import type { TokensByGeneration } from './access/token-endpoints';
import type { BillingKey } from './billing-keys/billing-key';
import { createBillingKeyStore, type BillingKeyStore } from './billing-keys/billing-key-store';
import type { SandboxConfig } from './config';
import { createWireNames, type WireNames } from './http/wire-names';
import { createDelivery } from './notifications/delivery';
import { createNotificationFile } from './notifications/notification-file';
import { createNotifier, type Notifier } from './notifications/notifier';
import { createSettings, type Settings } from './notifications/settings';
import { createPaymentStore, type PaymentStore } from './payments/payment-store';
import { createScheduleRunner, type ScheduleRunner } from './schedules/run-schedules';
import type { Schedule } from './schedules/schedule';
import { createScheduleStore, type ScheduleStore } from './schedules/schedule-store';
import { createClock, type SandboxClock } from './state/clock';
import { createJournal } from './state/journal';
import { createTimeline, type Timeline } from './state/timeline';

const LONGEST_STOP_MS = 2_000;

export type Service = {
  config: SandboxConfig;
  logger: Logger;
  clock: SandboxClock;
  timeline: Timeline;
  wireNames: WireNames;
  tokens: TokensByGeneration;
  settings: Settings;
  billingKeys: BillingKeyStore;
  payments: PaymentStore;
  schedules: ScheduleStore;
  runner: ScheduleRunner;
  notifier: Notifier;
  /** Everything that is due by then has happened, deliveries answered, when this resolves. */
  advance(seconds: number): Promise<void>;
  /** Empty state: also the settings and the clock are as at the first start. */
  reset(): void;
  close(): Promise<void>;
};

export type ServiceOptions = {
  config: SandboxConfig;
  /** The base clock in milliseconds; the sandbox's own runs ahead of it as far as it was advanced. */
  baseMs: () => number;
  /** From 0 up to 1: jitter, shuffling, choice of source address. */
  random: () => number;
  logger: Logger;
};

export function createService({ config, baseMs, random, logger }: ServiceOptions): Service {
  const { dataDir } = config;
  if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const journal = createJournal(dataDir && join(dataDir, 'journal.jsonl'));
  const clock = createClock(baseMs);
  const timeline = createTimeline(clock, (error) => {
    logger.error({ error: error instanceof Error ? error.stack : typeof error }, 'a planned event failed');
  });
  const wireNames = createWireNames(config.namePrefix);
  const tokensOf = (generation: keyof TokensByGeneration, secret: string) =>
    createAccessTokens(secret, clock.now, (issuance) =>
      journal.put('tokens', generation, { generation, issuance }),
    );
  const tokens = {
    legacy: tokensOf('legacy', config.serviceSecret),
    newer: tokensOf('newer', config.apiKey),
  };
  const settings = createSettings(config.webhookUrl, (values) => journal.put('settings', '', values));
  const billingKeys = createBillingKeyStore((uid, key) => journal.put('billing_key', uid, key));
  const payments = createPaymentStore(dataDir, wireNames.paymentId);
  const schedules = createScheduleStore((schedule) => journal.put('schedule', String(schedule.id), schedule));
  const deliver = createDelivery({ ...config, wireNames });
  const notificationFile = createNotificationFile(dataDir && join(dataDir, 'notifications.json'), () =>
    notifier.list(),
  );
  const notifier: Notifier = createNotifier({
    settings,
    wireNames,
    clock,
    timeline,
    deliver,
    random,
    onChange: notificationFile.changed,
  });
  const runner = createScheduleRunner({
    schedules,
    payments,
    billingKeys,
    notifier,
    timeline,
    now: clock.now,
  });

  // The clock first: what comes back after it may be due at once.
  function restore() {
    for (const offset of journal.saved('clock')) clock.setOffsetMs(Number(offset));
    for (const values of journal.saved('settings')) settings.restore(values);
    for (const key of journal.saved('billing_key')) billingKeys.restore(key as BillingKey);
    for (const saved of journal.saved('tokens')) {
      const { generation, issuance } = saved as { generation: keyof TokensByGeneration; issuance: Issuance };
      tokens[generation].restore(issuance);
    }
    for (const saved of journal.saved('schedule')) {
      const schedule = saved as Schedule;
      schedules.restore(schedule);
      if (schedule.status === 'scheduled') runner.plan(schedule);
    }
    notifier.restore(notificationFile.saved());
  }

  restore();
  return {
    config,
    logger,
    clock,
    timeline,
    wireNames,
    tokens,
    settings,
    billingKeys,
    payments,
    schedules,
    runner,
    notifier,
    async advance(seconds) {
      await notifier.settled();
      await timeline.advance(seconds);
      await notifier.settled();
      journal.put('clock', '', clock.offsetMs());
    },
    reset() {
      timeline.clear();
      journal.clear();
      schedules.clear();
      payments.clear();
      billingKeys.clear();
      notifier.clear();
      tokens.legacy.restore(null);
      tokens.newer.restore(null);
      settings.reset();
      clock.setOffsetMs(0);
      notificationFile.changed();
    },
    async close() {
      timeline.close();
      // A receiver that hangs must not hold the stop: what is under way is given a moment, then left.
      await Promise.race([notifier.settled(), wait(LONGEST_STOP_MS, undefined, { ref: false })]);
      notificationFile.close();
      journal.close();
      payments.close();
    },
  };
}
