// A data folder on a full disk: what can wait is written once there is room. What cannot wait is in process.test.ts.

import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNotificationFile } from '../../../src/sandbox/notifications/notification-file';
import { createDataFolder } from '../../../src/sandbox/state/data-folder';
import { createRecordedLog } from '../../support/log';

// Whatever is written to this device finds its disk full.
const DEVICE = '/dev/full';

afterEach(() => jest.useRealTimers());

(existsSync(DEVICE) ? test : test.skip)(
  'is said once to be full, and written when there is room again',
  () => {
    jest.useFakeTimers();
    const path = mkdtempSync(join(tmpdir(), 'sandbox-folder-'));
    const file = join(path, 'notifications.json');
    const log = createRecordedLog();
    const notifications = createNotificationFile(createDataFolder(path, log.logger), () => []);
    const messages = () => log.lines().map(({ msg }) => msg);
    notifications.changed();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      symlinkSync(DEVICE, `${file}.new`);
      jest.advanceTimersByTime(2_000);
      expect(existsSync(file)).toBe(false);
      expect(messages()).toEqual([expect.stringContaining('the data folder is full')]);
    }
    jest.advanceTimersByTime(2_000);
    expect(readFileSync(file, 'utf8')).toBe('[]');
    rmSync(path, { recursive: true });
  },
);
