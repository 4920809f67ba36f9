// Creates the state of the service and the parts that act on it. Endpoints, controls and console all use this object.

import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createAccessTokens, type Issuance } from './access/access-token';
import type { TokensByGeneration } from './access/token-endpoints';
import type { BillingKey } from './billing-keys/billing-key';
import { createBillingKeyStore, type BillingKeyStore } from './billing-keys/billing-key-store';
import type { SandboxConfig } from './config';
import { paymentId } from './http/wire-names';
import { createNotificationFile } from './notifications/notification-file';
import { createNotifier, type Notifier } from './notifications/notifier';
import { createSettings, type Settings } from './notifications/settings';
import { createPaymentStore, type PaymentStore } from './payments/payment-store';
import {
  createPreparedAmounts,
  type PreparedAmount,
  type PreparedAmounts,
} from './payments/prepared-amounts';
import { executeWhenDue } from './schedules/execute-schedule';
import type { Schedule } from './schedules/schedule';
import { createScheduleStore, type ScheduleStore } from './schedules/schedule-store';
import { createClock, type SandboxClock } from './state/clock';
import { createDataFolder } from './state/data-folder';
import { createJournal } from './state/journal';
import { createShopClock, type ShopClock } from './state/shop-clock';
import { createTimeline, type Timeline } from './state/timeline';

const MAX_STOP_MS = 2_000;

export type Service = {
  config: SandboxConfig;
  logger: Logger;
  clock: SandboxClock;
  shopClock: ShopClock;
  timeline: Timeline;
  tokens: TokensByGeneration;
  settings: Settings;
  billingKeys: BillingKeyStore;
  payments: PaymentStore;
  preparedAmounts: PreparedAmounts;
  schedules: ScheduleStore;
  notifier: Notifier;
  /**
   * Moves the sandbox's clock, and first the shop's to the same time unless `sandboxOnly`. Resolves when all due events
   * have run and their deliveries are answered.
   */
  advance(seconds: number, sandboxOnly?: boolean): Promise<void>;
  /**
   * Puts both clocks back, by default to the real time. Nothing that has happened is undone.
   * @param aheadMs of the real time; negative: behind it
   */
  putClockBack(aheadMs?: number): Promise<void>;
  /** Deletes the state, and resets settings and clock to their initial values. */
  reset(): void;
  close(): Promise<void>;
};

type ServiceOptions = {
  config: SandboxConfig;
  /** The base clock in milliseconds. The sandbox's own clock is ahead of it by the time that was added. */
  baseMs: () => number;
  /** Returns a number from 0 up to 1, for jitter, shuffled arrival and the choice of a source address. */
  random: () => number;
  /** The digits of the next svc_uid. By default they cannot be guessed. */
  newDigits?: (() => number) | undefined;
  logger: Logger;
};

export function createService({ config, baseMs, random, newDigits, logger }: ServiceOptions): Service {
  const { dataDir } = config;
  const folder = dataDir === undefined ? undefined : createDataFolder(dataDir, logger);
  const journal = createJournal(folder);
  const clock = createClock(baseMs);
  const timeline = createTimeline(clock, (error) => {
    logger.error({ error: error instanceof Error ? error.stack : typeof error }, 'a timeline event failed');
  });
  const tokensOf = (generation: keyof TokensByGeneration, secret: string) =>
    createAccessTokens(secret, clock.now, (issuance) =>
      journal.put('tokens', [generation, { generation, issuance }]),
    );
  const tokens = {
    legacy: tokensOf('legacy', config.serviceSecret),
    newer: tokensOf('newer', config.apiKey),
  };
  const settings = createSettings(config.webhookUrl, (values) => journal.put('settings', ['', values]));
  const isTestChannel = () => settings.get().test_channel;
  const billingKeys = createBillingKeyStore(
    (uid, key) => journal.put('billing_key', [uid, key]),
    isTestChannel,
  );
  const payments = createPaymentStore(
    folder,
    (digits) => paymentId(config.namePrefix, digits),
    isTestChannel,
    newDigits,
    // As a browser on this machine opens it: the host may be another name inside a container.
    `http://localhost:${config.port}/receipts`,
  );
  const preparedAmounts = createPreparedAmounts((prepared) =>
    journal.put('prepared', [prepared.merchantUid, prepared]),
  );
  const schedules = createScheduleStore((schedules) =>
    journal.put('schedule', ...schedules.map((each): [string, unknown] => [String(each.id), each])),
  );
  const notificationFile = createNotificationFile(folder, () => notifier.list());
  const notifier: Notifier = createNotifier({
    settings,
    clock,
    timeline,
    config,
    random,
    onChange: notificationFile.changed,
  });
  const shopClock = createShopClock((aheadMs) => journal.put('shop_clock', ['', aheadMs]));
  const stores = {
    settings,
    billingKeys,
    payments,
    preparedAmounts,
    schedules,
    notifier,
    timeline,
    clock,
    shopClock,
  };

  // The clock is restored first, because the schedules and resends restored after it may be due at once.
  function restore() {
    for (const offset of journal.saved('clock')) clock.setOffsetMs(Number(offset));
    for (const ahead of journal.saved('shop_clock')) shopClock.setAheadMs(Number(ahead));
    for (const values of journal.saved('settings')) settings.restore(values);
    for (const key of journal.saved('billing_key')) billingKeys.restore(key as BillingKey);
    for (const prepared of journal.saved('prepared')) preparedAmounts.restore(prepared as PreparedAmount);
    for (const saved of journal.saved('tokens')) {
      const { generation, issuance } = saved as { generation: keyof TokensByGeneration; issuance: Issuance };
      tokens[generation].restore(issuance);
    }
    for (const saved of journal.saved('schedule')) {
      const schedule = saved as Schedule;
      schedules.restore(schedule);
      if (schedule.status === 'scheduled') executeWhenDue(stores, schedule);
    }
    notifier.restore(notificationFile.saved());
  }

  restore();
  return {
    ...stores,
    config,
    logger,
    tokens,
    async advance(seconds, sandboxOnly = false) {
      await notifier.idle();
      const aheadMs = clock.offsetMs() + seconds * 1000;
      // The shop's clock first, so that it dates the notifications on the way after the jump.
      if (!sandboxOnly) await shopClock.moveTo(aheadMs);
      await timeline.advance(seconds);
      await notifier.idle();
      // The events took some time, which has passed at the shop as well.
      clock.setOffsetMs(Math.max(aheadMs, clock.offsetMs()));
      journal.put('clock', ['', clock.offsetMs()]);
    },
    async putClockBack(aheadMs = 0) {
      await notifier.idle();
      const backMs = clock.offsetMs() - aheadMs;
      timeline.putBack(backMs);
      notifier.putBack(backMs);
      clock.setOffsetMs(aheadMs);
      journal.put('clock', ['', aheadMs]);
      await shopClock.moveTo(aheadMs);
      // Sets the timer of the next event again.
      await timeline.advance(0);
    },
    reset() {
      timeline.clear();
      journal.clear();
      schedules.clear();
      payments.clear();
      preparedAmounts.clear();
      billingKeys.clear();
      notifier.clear();
      tokens.legacy.restore(null);
      tokens.newer.restore(null);
      settings.reset();
      clock.setOffsetMs(0);
      void shopClock.moveTo(0);
      notificationFile.changed();
    },
    async close() {
      timeline.close();
      shopClock.close();
      // Deliveries in progress get a moment to end, but a receiver that hangs must not delay the stop.
      await Promise.race([notifier.idle(), wait(MAX_STOP_MS, undefined, { ref: false })]);
      notificationFile.close();
      journal.close();
      payments.close();
    },
  };
}
