// Saves notifications for the next start: all that are still to be sent, and the latest thousand to look at. The file
// is written every two seconds and at the end, because writing it with each delivery would be slow.

import { existsSync, readFileSync } from 'node:fs';
import { replaceFile } from '../state/journal';
import type { Notification } from './notification';

const MAX_SENT = 1000;
const SAVE_EVERY_MS = 2_000;

type NotificationFile = {
  saved(): Notification[];
  /** Saves within two seconds. */
  changed: () => void;
  /** Saves a last time. Later changes are not saved. */
  close(): void;
};

/** Saves nothing if `file` is undefined. */
export function createNotificationFile(
  file: string | undefined,
  list: () => Notification[],
): NotificationFile {
  if (file === undefined) return { saved: () => [], changed: () => undefined, close: () => undefined };
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const save = () => {
    clearTimeout(timer);
    timer = undefined;
    replaceFile(file, JSON.stringify(withoutOldest(list(), MAX_SENT)));
  };

  return {
    saved: () => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Notification[]) : []),
    changed() {
      if (!isClosed) timer ??= setTimeout(save, SAVE_EVERY_MS).unref();
    },
    close() {
      isClosed = true;
      save();
    },
  };
}

/** Returns the latest `count` notifications and all older ones that are still to be sent. */
export function withoutOldest(notifications: Notification[], count: number): Notification[] {
  const first = notifications.length - count;
  return notifications.filter((each, index) => index >= first || each.next_attempt_ms !== null);
}
