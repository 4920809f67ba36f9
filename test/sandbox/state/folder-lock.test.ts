// One data folder has one lock. Who holds it is told, and a lock that a process has left behind is taken over.

import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFolder, type LockHolder } from '../../../src/sandbox/state/folder-lock';

const WHERE = 'http://localhost:3000';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'folder-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const lock = (of = folder) => lockFolder({ folder: of, where: WHERE, setting: 'DATA_DIR', patienceMs: 0 });
const lockFile = () => join(folder, 'lock-1.json');

/** What this process writes, with some fields changed. */
async function leave(changed: Partial<LockHolder>, touchedSecondsAgo: number): Promise<void> {
  const release = await lock();
  const written = JSON.parse(readFileSync(lockFile(), 'utf8')) as LockHolder;
  release();
  leaveText(JSON.stringify({ ...written, ...changed }), touchedSecondsAgo);
}

function leaveText(content: string, touchedSecondsAgo: number): void {
  writeFileSync(lockFile(), content);
  const at = Date.now() / 1000 - touchedSecondsAgo;
  utimesSync(lockFile(), at, at);
}

test('O12 a folder in use is refused with the process, its addresses and the setting for another one, and nothing is written', async () => {
  const release = await lock();
  const before = readFileSync(lockFile(), 'utf8');
  await expect(lock()).rejects.toThrow(
    `${folder} is in use by process ${process.pid}, which runs at ${WHERE}: stop it first, or set DATA_DIR to another folder.`,
  );
  expect(readdirSync(folder)).toEqual(['lock-1.json']);
  expect(readFileSync(lockFile(), 'utf8')).toBe(before);
  release();
  expect(readdirSync(folder)).toEqual([]);
});

describe('O12 a lock that was left behind is taken over:', () => {
  test.each([
    ['its process is gone', { pid: 999_999_999 }, 0],
    ['its process id belongs to another program now', { pid: process.ppid, startedAt: '1' }, 0],
    ['it is of another container, and not touched any more', { machine: 'elsewhere' }, 60],
  ])('%s', async (_, changed, touchedSecondsAgo) => {
    await leave(changed, touchedSecondsAgo);
    const release = await lock();
    expect(readdirSync(folder)).toEqual(['lock-2.json']);
    release();
  });

  test.each(['', '{"pid":12'])('it has only the text "%s"', async (written) => {
    leaveText(written, 60);
    (await lock())();
    expect(readdirSync(folder)).toEqual([]);
  });
});

test('O12 a lock of another container is respected while it is touched', async () => {
  await leave({ machine: 'container-1 pid:[7]', pid: 999_999_999 }, 0);
  await expect(lock()).rejects.toThrow(
    'process 999999999 of another machine or container (container-1 pid:[7]), which runs at',
  );
});
