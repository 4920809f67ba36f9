// The latest notifications across restarts: all that are still to be sent, and the last thousand for the eye. Written
// now and then and at the stop, not with each delivery: a million of them would make the start slow.
import { existsSync, readFileSync } from 'node:fs';
import { replaceFile } from '../state/journal';
import type { Notification } from './notification';

const KEPT = 1000;
const SAVE_EVERY_MS = 2_000;

export type NotificationFile = {
  saved(): Notification[];
  /** Saves before long. */
  changed: () => void;
  /** Saves a last time; what changes after it is not kept. */
  close(): void;
};

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
    const all = list();
    const kept = all.filter((each, index) => index >= all.length - KEPT || each.next_attempt_ms !== null);
    replaceFile(file, JSON.stringify(kept));
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
