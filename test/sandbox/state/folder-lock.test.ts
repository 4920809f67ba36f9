// One data folder has one lock. Who holds it is told, and a lock that a process has left behind is taken over.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { lockFolder, type LockHolder } from '../../../src/sandbox/state/folder-lock';

const WHERE = 'http://localhost:3000';
const SOURCE = join(__dirname, '../../../src/sandbox/state/folder-lock.ts');
const ALL_PROCESSES = 4;
const ROUNDS = 40;

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

test('O12 of processes that start at the same moment exactly one gets the folder, also where a lock was left behind', async () => {
  const folders = Array.from({ length: ROUNDS }, (_, round) => join(folder, `${round}`));
  for (const [round, each] of folders.entries()) {
    mkdirSync(each);
    if (round % 2 === 0) writeFileSync(join(each, 'lock-7.json'), await goneHolder());
  }
  const script = `
    const { lockFolder } = require(${JSON.stringify(SOURCE)});
    process.stdin.once('data', async (startAt) => {
      const won = [];
      for (const [round, folder] of ${JSON.stringify(folders)}.entries()) {
        while (Date.now() < Number(startAt) + round * 20);
        await lockFolder({ folder, where: '', setting: '', patienceMs: 0 }).then(() => won.push(round), () => {});
      }
      console.log(JSON.stringify(won));
    });
    console.log('loaded');`;
  const children = Array.from({ length: ALL_PROCESSES }, () =>
    spawn(process.execPath, ['--import', 'tsx', '--eval', script], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  const readers = children.map(({ stdout }) => createInterface({ input: stdout })[Symbol.asyncIterator]());
  for (const reader of readers) await reader.next();
  // They hold what they have won until their input ends.
  for (const { stdin } of children) stdin.write(String(Date.now() + 50));
  const won = await Promise.all(
    readers.map(async (reader) => JSON.parse(String((await reader.next()).value))),
  );
  for (const child of children) {
    child.stdin.end();
    child.kill();
    await once(child, 'exit');
  }
  expect(won.flat().sort((one: number, other: number) => one - other)).toEqual([...folders.keys()]);
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

/** The lock of a process that has ended, as it is on this machine. */
async function goneHolder(): Promise<string> {
  await leave({ pid: 999_999_999 }, 0);
  const written = readFileSync(lockFile(), 'utf8');
  rmSync(lockFile());
  return written;
}
