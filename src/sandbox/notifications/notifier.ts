// Sends notifications and lists them. The first attempt is made at once, or after a random delay if arrival is shuffled;
// resends are events of the timeline.

import { paymentId } from '../http/wire-names';
import type { SandboxClock } from '../state/clock';
import type { Timeline } from '../state/timeline';
import { deliver, type DeliveryOptions } from './deliver';
import {
  currentStatus,
  notificationBody,
  notificationStatus,
  TEST_DIGITS,
  testBody,
  type NotifiedPayment,
  type PaymentEvent,
} from './events';
import { SOURCES, TEST_BUTTON_SOURCE, type Notification } from './notification';
import { withoutOldest } from './notification-file';
import { resendDelayMs } from './resend-delay';
import type { Settings } from './settings';
import { notificationType, signedBody, signedTestBody } from './signed-form';

export type Notifier = {
  /** Sends the notification of this event (§6.1, §6.2). Resolves when the receivers have answered the first attempt. */
  notify(event: PaymentEvent, payment: NotifiedPayment): Promise<void>;
  /**
   * Sends `times` notifications of the payment, with a false status or from another source address if one is given.
   * `type` is that of the signed form, such as Transaction.DisputeCreated.
   */
  sendByHand(
    payment: NotifiedPayment,
    options: { status?: string; type?: string; times: number; source?: string },
  ): Promise<Notification[]>;
  /** The admin console's test button (§6.3). Resolves to undefined if no URL is set. */
  sendTest(): Promise<Notification | undefined>;
  list: () => Notification[];
  /** Resolves when no delivery is in progress. Resends that are not yet due do not count. */
  idle(): Promise<void>;
  /** The clock is about to be put back by this, and the timeline's delays with it. */
  putBack(ms: number): void;
  restore(notifications: Notification[]): void;
  clear(): void;
};

type Dependencies = {
  settings: Settings;
  clock: SandboxClock;
  timeline: Timeline;
  config: DeliveryOptions;
  /** Returns a number from 0 up to 1. */
  random: () => number;
  onChange: () => void;
};

const MAX_LISTED = 5_000;
const MAX_SHUFFLE_DELAY_MS = 5_000;

export function createNotifier(dependencies: Dependencies): Notifier {
  const { settings, clock, timeline, config, random, onChange } = dependencies;
  const inProgress = new Set<Promise<void>>();
  let notifications: Notification[] = [];
  let lastId = 0;

  const sendsSigned = () => settings.get().generation === 'newer' && settings.get().newer_signed;

  function bodyOf(payment: NotifiedPayment, status: string, type?: string): Notification['body'] {
    if (!sendsSigned()) return notificationBody(payment, status, settings.get().generation);
    return signedBody(payment, type ?? notificationType(payment, status), clock.now());
  }

  function create(
    given: Pick<Notification, 'event' | 'svc_uid' | 'url' | 'body'> & { source?: string },
  ): Notification {
    const { content_type, generation } = settings.get();
    const id = (lastId += 1);
    const isSigned = sendsSigned();
    // Reported: signed notifications come from the address that the document gives for the test button.
    const usual = isSigned ? TEST_BUTTON_SOURCE : random() < 0.5 ? SOURCES[0] : SOURCES[1];
    const notification: Notification = {
      id,
      event: given.event,
      generation,
      svc_uid: given.svc_uid,
      url: given.url,
      source: given.source ?? usual,
      content_type: isSigned ? 'json' : content_type,
      body: given.body,
      webhook_id: isSigned ? `msg_${clock.now()}_${id}` : null,
      created_at: clock.now(),
      attempts: [],
      next_attempt_ms: null,
    };
    notifications.push(notification);
    if (notifications.length > 2 * MAX_LISTED) notifications = withoutOldest(notifications, MAX_LISTED);
    return notification;
  }

  function send(notification: Notification): Promise<void> {
    const delivery = attempt(notification).finally(() => inProgress.delete(delivery));
    inProgress.add(delivery);
    return delivery;
  }

  async function attempt(notification: Notification) {
    const started = performance.now();
    const sent_at = clock.now();
    notification.next_attempt_ms = null;
    const { refuse_local_addresses: refusesLocal } = settings.get();
    const result = await deliver(notification, config, refusesLocal, clock.realNow());
    notification.attempts.push({ sent_at, took_ms: Math.round(performance.now() - started), ...result });
    const delayMs = resendDelayMs(notification, settings.get(), random);
    // After a reset the notification is no longer listed, and is not sent again.
    if (delayMs !== null && notifications.includes(notification)) sendAfter(notification, delayMs);
    onChange();
  }

  function sendAfter(notification: Notification, delayMs: number) {
    notification.next_attempt_ms = clock.nowMs() + delayMs;
    timeline.after(delayMs, () => send(notification));
  }

  async function sendFirst(notification: Notification) {
    if (settings.get().shuffle_arrival) sendAfter(notification, random() * MAX_SHUFFLE_DELAY_MS);
    else await send(notification);
  }

  function urlsFor(payment: NotifiedPayment): readonly string[] {
    const { webhook_url } = settings.get();
    if (payment.noticeUrls.length > 0) return payment.noticeUrls;
    return webhook_url === null ? [] : [webhook_url];
  }

  return {
    async notify(event, payment) {
      const { generation } = settings.get();
      const status = notificationStatus(event, generation);
      if (status === null) return;
      const body = bodyOf(payment, status);
      await Promise.all(
        urlsFor(payment).map((url) => sendFirst(create({ event, svc_uid: payment.svcUid, url, body }))),
      );
    },
    async sendByHand(payment, { status, type, times, source }) {
      const { generation } = settings.get();
      const body = bodyOf(payment, status ?? currentStatus(payment, generation), type);
      const given = {
        event: 'by_hand' as const,
        svc_uid: payment.svcUid,
        body,
        ...(source !== undefined && { source }),
      };
      const created = urlsFor(payment).flatMap((url) =>
        Array.from({ length: times }, () => create({ ...given, url })),
      );
      await Promise.all(created.map(sendFirst));
      return created;
    },
    async sendTest() {
      const { webhook_url: url, generation } = settings.get();
      if (url === null) return undefined;
      const body = sendsSigned()
        ? signedTestBody(clock.now())
        : testBody(generation, paymentId(config.namePrefix, TEST_DIGITS));
      const notification = create({ event: 'test', svc_uid: null, url, body, source: TEST_BUTTON_SOURCE });
      await send(notification);
      return notification;
    },
    list: () => notifications,
    async idle() {
      while (inProgress.size > 0) await Promise.all(inProgress);
    },
    putBack(ms) {
      for (const each of notifications) if (each.next_attempt_ms !== null) each.next_attempt_ms -= ms;
      onChange();
    },
    restore(saved) {
      notifications = saved;
      lastId = saved.at(-1)?.id ?? 0;
      for (const each of saved)
        if (each.next_attempt_ms !== null) sendAfter(each, each.next_attempt_ms - clock.nowMs());
    },
    clear() {
      notifications = [];
    },
  };
}
