// The whole state of the service and what acts on it, wired once. Endpoints, controls and console are views of this.
import type { Logger } from 'pino';
import { createAccessTokens } from './access/access-token';
import type { TokensByGeneration } from './access/token-endpoints';
import { createBillingKeyStore, type BillingKeyStore } from './billing-keys/billing-key-store';
import type { SandboxConfig } from './config';
import { createWireNames, type WireNames } from './http/wire-names';
import { createDelivery } from './notifications/delivery';
import { createNotifier, type Notifier } from './notifications/notifier';
import { createSettings, type Settings } from './notifications/settings';
import { createPaymentStore, type PaymentStore } from './payments/payment-store';
import { createClock, type SandboxClock } from './state/clock';
import { createTimeline, type Timeline } from './state/timeline';

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
  const clock = createClock(baseMs);
  const timeline = createTimeline(clock);
  const wireNames = createWireNames(config.namePrefix);
  const tokens = {
    legacy: createAccessTokens(config.serviceSecret, clock.now),
    newer: createAccessTokens(config.apiKey, clock.now),
  };
  const settings = createSettings(config.webhookUrl, () => undefined);
  const billingKeys = createBillingKeyStore(() => undefined);
  const payments = createPaymentStore(() => undefined);
  const deliver = createDelivery({ ...config, wireNames });
  const notifier = createNotifier({ settings, clock, timeline, deliver, random, onChange: () => undefined });

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
    notifier,
    async advance(seconds) {
      await notifier.settled();
      await timeline.advance(seconds);
      await notifier.settled();
    },
    reset() {
      timeline.clear();
      payments.clear();
      billingKeys.clear();
      notifier.clear();
      tokens.legacy.restore(null);
      tokens.newer.restore(null);
      settings.reset();
      clock.setOffsetMs(0);
    },
    async close() {
      timeline.close();
      await notifier.settled();
    },
  };
}
