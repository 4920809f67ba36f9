// When a notification that was not taken is sent again (§6.5).
import type { Attempt, Notification } from './notification';

const MINUTE_MS = 60_000;
const NEWER_INTERVALS_MINUTES = [0, 1, 4, 16, 256];
const JITTER_SHARE = 0.01;
const LEAST_JITTER_MS = 500;

/** Milliseconds until the next send, or null when there is none. */
export function nextSendAfter(
  notification: Notification,
  legacySends: number,
  random: () => number,
): number | null {
  const last = notification.attempts.at(-1);
  if (!last || isSuccess(last)) return null;
  const sent = notification.attempts.length;
  if (notification.generation === 'legacy') {
    // A 4xx is a definite answer and is not sent again (field notes; §6.5.2 alone says only "until success").
    return isWorthRepeating(last) && sent < legacySends ? MINUTE_MS : null;
  }
  const minutes = NEWER_INTERVALS_MINUTES[sent - 1];
  if (minutes === undefined) return null;
  // The amount of jitter is not shown (§6.5.3): up to one percent of the interval, or half a second.
  return minutes * MINUTE_MS + random() * Math.max(minutes * MINUTE_MS * JITTER_SHARE, LEAST_JITTER_MS);
}

/** The answer that counts as success is not shown (§6.5): HTTP 200. */
export const isSuccess = (attempt: Attempt) => attempt.answer?.status === 200;

const isWorthRepeating = (attempt: Attempt) => attempt.answer === null || attempt.answer.status >= 500;
