// When a notification that was not accepted is sent again (§6.5).

import type { Attempt, Notification } from './notification';
import type { SettingValues } from './settings';

const MINUTE_MS = 60_000;
const NEWER_INTERVALS_MINUTES = [0, 1, 4, 16, 256];
// The document does not say how much jitter is added (§6.5.3). Our choice: up to one percent of the interval, or up to
// half a second if that is more.
const JITTER_SHARE = 0.01;
const MIN_JITTER_MS = 500;

/** Returns the milliseconds until the next attempt, null if there is none. */
export function resendDelayMs(
  notification: Notification,
  settings: Pick<SettingValues, 'legacy_sends' | 'resend_unless_ok'>,
  random: () => number,
): number | null {
  const last = notification.attempts.at(-1);
  if (!last || isSuccess(last)) return null;
  const sent = notification.attempts.length;
  if (notification.generation === 'legacy') {
    // Sent again after a network error, a time-out or a 5xx; a 4xx is a definite answer, unless set otherwise (§6.5.2).
    const isFailure = settings.resend_unless_ok || last.answer === null || last.answer.status >= 500;
    return isFailure && sent < settings.legacy_sends ? MINUTE_MS : null;
  }
  const minutes = NEWER_INTERVALS_MINUTES[sent - 1];
  if (minutes === undefined) return null;
  return minutes * MINUTE_MS + random() * Math.max(minutes * MINUTE_MS * JITTER_SHARE, MIN_JITTER_MS);
}

/** The document does not say which answer counts as success (§6.5). Our choice: HTTP 200. */
export const isSuccess = (attempt: Attempt) => attempt.answer?.status === 200;
