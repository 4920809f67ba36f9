// Sends notifications and keeps the list of them: first send at once (or shuffled), resends on the timeline.
import type { WireNames } from '../http/wire-names';
import type { Payment } from '../payments/payment';
import type { SandboxClock } from '../state/clock';
import type { Timeline } from '../state/timeline';
import type { Deliver } from './delivery';
import {
  currentStatus,
  notificationBody,
  notificationStatus,
  testBody,
  TEST_DIGITS,
  type PaymentEvent,
} from './events';
import { SOURCES, TEST_BUTTON_SOURCE, type Notification } from './notification';
import { nextSendAfter } from './resends';
import type { Settings } from './settings';

export type Notifier = {
  /** Sends what §6.1 or §6.2 says for this event; resolves when the receivers have answered the first send. */
  announce(event: PaymentEvent, payment: Payment): Promise<void>;
  /** The console's "send again", with as much false in it as asked for. */
  sendByHand(
    payment: Payment,
    how: { status?: string; times: number; source?: string },
  ): Promise<Notification[]>;
  /** The admin console's test button (§6.3); undefined where no URL is set. */
  sendTest(): Promise<Notification | undefined>;
  list: () => Notification[];
  /** Resolves when no delivery is under way; resends that wait for their time do not count. */
  settled(): Promise<void>;
  restore(notifications: Notification[]): void;
  clear(): void;
};

type Dependencies = {
  settings: Settings;
  wireNames: WireNames;
  clock: SandboxClock;
  timeline: Timeline;
  deliver: Deliver;
  random: () => number;
  onChange: () => void;
};

const LONGEST_LIST = 5_000;
const SHUFFLE_MS = 5_000;

export function createNotifier(dependencies: Dependencies): Notifier {
  const { settings, wireNames, clock, timeline, deliver, random, onChange } = dependencies;
  const inFlight = new Set<Promise<void>>();
  let notifications: Notification[] = [];
  let lastId = 0;

  function create(
    given: Pick<Notification, 'event' | 'svc_uid' | 'url' | 'body'> & { source?: string },
  ): Notification {
    const { content_type, generation } = settings.get();
    const notification: Notification = {
      id: (lastId += 1),
      event: given.event,
      generation,
      svc_uid: given.svc_uid,
      url: given.url,
      source: given.source ?? (random() < 0.5 ? SOURCES[0] : SOURCES[1]),
      content_type,
      body: given.body,
      created_at: clock.now(),
      attempts: [],
      next_attempt_ms: null,
    };
    notifications.push(notification);
    if (notifications.length > 2 * LONGEST_LIST) notifications = withoutOldest(notifications);
    return notification;
  }

  function send(notification: Notification): Promise<void> {
    const delivery = attempt(notification).finally(() => inFlight.delete(delivery));
    inFlight.add(delivery);
    return delivery;
  }

  async function attempt(notification: Notification) {
    const started = performance.now();
    const sent_at = clock.now();
    notification.next_attempt_ms = null;
    const result = await deliver(notification);
    notification.attempts.push({ sent_at, took_ms: Math.round(performance.now() - started), ...result });
    const waitMs = nextSendAfter(notification, settings.get().legacy_sends, random);
    if (waitMs !== null && notifications.includes(notification)) sendAt(notification, clock.nowMs() + waitMs);
    onChange();
  }

  function sendAt(notification: Notification, timeMs: number) {
    notification.next_attempt_ms = timeMs;
    timeline.at(timeMs, () => send(notification));
  }

  async function firstSend(notification: Notification) {
    if (settings.get().shuffle_arrival) sendAt(notification, clock.nowMs() + random() * SHUFFLE_MS);
    else await send(notification);
  }

  function urlsFor(payment: Payment): readonly string[] {
    const { webhook_url } = settings.get();
    if (payment.noticeUrls.length > 0) return payment.noticeUrls;
    return webhook_url === null ? [] : [webhook_url];
  }

  return {
    async announce(event, payment) {
      const { generation } = settings.get();
      const status = notificationStatus(event, generation);
      if (status === null) return;
      const body = notificationBody(payment, status, generation);
      await Promise.all(
        urlsFor(payment).map((url) => firstSend(create({ event, svc_uid: payment.svcUid, url, body }))),
      );
    },
    async sendByHand(payment, { status, times, source }) {
      const { generation } = settings.get();
      const body = notificationBody(payment, status ?? currentStatus(payment, generation), generation);
      const given = {
        event: 'by_hand' as const,
        svc_uid: payment.svcUid,
        body,
        ...(source !== undefined && { source }),
      };
      const copies = urlsFor(payment).flatMap((url) =>
        Array.from({ length: times }, () => create({ ...given, url })),
      );
      await Promise.all(copies.map(firstSend));
      return copies;
    },
    async sendTest() {
      const { webhook_url: url, generation } = settings.get();
      if (url === null) return undefined;
      const body = testBody(generation, wireNames.paymentId(TEST_DIGITS));
      const notification = create({ event: 'test', svc_uid: null, url, body, source: TEST_BUTTON_SOURCE });
      await send(notification);
      return notification;
    },
    list: () => notifications,
    async settled() {
      while (inFlight.size > 0) await Promise.all(inFlight);
    },
    restore(saved) {
      notifications = saved;
      lastId = saved.at(-1)?.id ?? 0;
      for (const each of saved) if (each.next_attempt_ms !== null) sendAt(each, each.next_attempt_ms);
    },
    clear() {
      notifications = [];
    },
  };
}

// Those that are still to be sent are kept, however old.
function withoutOldest(notifications: Notification[]): Notification[] {
  const limit = notifications.length - LONGEST_LIST;
  return notifications.filter((each, index) => index >= limit || each.next_attempt_ms !== null);
}
