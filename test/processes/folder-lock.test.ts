// The lock of a data folder, taken by several processes at the same moment.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { lockFolder, type LockHolder } from '../../src/sandbox/state/folder-lock';
import { programsFolder } from '../support/processes';

const SOURCE = join(programsFolder(), 'src', 'sandbox', 'state', 'folder-lock');
const ALL_PROCESSES = 4;
const ROUNDS = 40;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'folder-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

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

/** The lock of a process that has ended, as it is on this machine. */
async function goneHolder(): Promise<string> {
  const release = await lockFolder({ folder, where: '', setting: 'DATA_DIR', patienceMs: 0 });
  const written = JSON.parse(readFileSync(join(folder, 'lock-1.json'), 'utf8')) as LockHolder;
  release();
  return JSON.stringify({ ...written, pid: 999_999_999 });
}
