// Saves notifications for the next start: all that are still to be sent, and the latest thousand for the lists. Writing the
// file with each delivery would be slow, so it is written at most every two seconds and at the end. While the disk is full,
// the write is retried at the same interval.

import { existsSync, readFileSync } from 'node:fs';
import { whereThereIsRoom, type DataFolder } from '../state/data-folder';
import type { Notification } from './notification';

const MAX_SENT = 1000;
const SAVE_EVERY_MS = 2_000;

type NotificationFile = {
  saved(): Notification[];
  /** Saves within two seconds. */
  changed: () => void;
  /** Saves one last time. Later changes are not saved. */
  close(): void;
};

const NAME = 'notifications.json';

/** Saves nothing if `folder` is undefined. */
export function createNotificationFile(
  folder: DataFolder | undefined,
  list: () => Notification[],
): NotificationFile {
  if (folder === undefined) return { saved: () => [], changed: () => undefined, close: () => undefined };
  const file = folder.pathOf(NAME);
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const save = () => {
    clearTimeout(timer);
    timer = undefined;
    const content = JSON.stringify(withoutOldest(list(), MAX_SENT));
    if (!whereThereIsRoom(() => folder.replace(NAME, content))) changed();
  };

  function changed() {
    if (!isClosed) timer ??= setTimeout(save, SAVE_EVERY_MS).unref();
  }

  return {
    saved: () => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Notification[]) : []),
    changed,
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
