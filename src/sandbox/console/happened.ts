// What happened while a person moved the clock: payments of schedules and notifications, oldest first, each with its page.

import type { Locale } from '../locales/ko';
import type { Notification } from '../notifications/notification';
import type { Schedule } from '../schedules/schedule';
import type { Service } from '../service';
import type { Happened } from './press';
import { notificationState } from './stream-view';
import { amountText, stateOf, timeText } from './texts';

const MOST_SHOWN = 50;

const scheduledOf = ({ schedules }: Service): Schedule[] =>
  schedules.find({ from: 0, to: Infinity, status: 'scheduled' });

/** To be called before the press. @returns what to call after it */
export function watchClock(service: Service): () => Happened {
  const waiting = scheduledOf(service).map(({ id }) => id);
  const attempts = new Map(service.notifier.list().map((each) => [each.id, each.attempts.length]));
  return () => {
    const stillWaiting = new Set(scheduledOf(service).map(({ id }) => id));
    const isNew = ({ id, attempts: { length } }: Notification) => length > (attempts.get(id) ?? -1);
    return {
      scheduleIds: waiting.filter((id) => !stillWaiting.has(id)),
      notificationIds: service.notifier
        .list()
        .filter(isNew)
        .map(({ id }) => id),
    };
  };
}

/** The newest ones if there are too many. */
export function viewHappened(service: Service, { scheduleIds, notificationIds }: Happened, t: Locale) {
  const now = service.clock.now();
  const href = (path: string) => `${path}${path.includes('?') ? '&' : '?'}lang=${t.lang}`;
  const ids = new Set(scheduleIds);
  const payments = service.schedules
    .find({ from: 0, to: Infinity })
    .filter(({ id }) => ids.has(id))
    .map((schedule) => {
      const { merchantUid, amount, currency, svcUid, executedAt, status } = schedule;
      const payment = svcUid === null ? undefined : service.payments.find(svcUid);
      return {
        seconds: executedAt || schedule.revokedAt,
        text: `${t.console.clock.schedule} ${merchantUid}, ${amountText(amount, currency, t)}`,
        state: stateOf(payment?.status ?? status, t),
        href: href(`/console?q=${encodeURIComponent(svcUid ?? merchantUid)}`),
      };
    });
  const sent = new Set(notificationIds);
  const notifications = service.notifier
    .list()
    .filter(({ id }) => sent.has(id))
    .map((each) => ({
      seconds: each.attempts.at(-1)?.sent_at ?? each.created_at,
      text: `${t.console.notified} · ${t.console.events[each.event]}`,
      state: notificationState(each, t),
      href: href(`/console/notifications/${each.id}`),
    }));
  return [...payments, ...notifications]
    .sort((one, other) => one.seconds - other.seconds)
    .slice(-MOST_SHOWN)
    .map(({ seconds, ...row }) => ({ ...row, at: timeText(seconds, now, t) }));
}
