// `npm run dev` runs a program again when its sources or templates change, also one that has ended with a syntax error.

import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChildProgram } from '../../src/local/child-program';
import { restartOnChange } from '../../src/local/restart-on-change';
import { eventually } from '../support/eventually';

const folder = mkdtempSync(join(tmpdir(), 'sources-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs of a program that is ready at once, or never. */
function createRuns(isReady: boolean) {
  const runs: { end: (code: number) => void; stopped: boolean }[] = [];
  const launch = (): ChildProgram => {
    const run = { end: (_code: number): void => undefined, stopped: false };
    const exited = new Promise<number>((resolve) => (run.end = resolve));
    runs.push(run);
    return {
      output: null,
      ready: isReady ? Promise.resolve() : new Promise(() => undefined),
      exited,
      stop: () => {
        run.stopped = true;
        return Promise.resolve();
      },
    };
  };
  return { runs, launch };
}

test('a program starts again after a change of a source or a template, and not after that of a stylesheet', async () => {
  const { runs, launch } = createRuns(true);
  const changed: string[] = [];
  const program = restartOnChange(launch, [folder], (file) => changed.push(file));
  await program.ready;
  runs[0]?.end(1);
  writeFileSync(join(folder, 'page.css'), '');
  writeFileSync(join(folder, 'page.eta'), '');
  await eventually(() => runs.length === 2);
  writeFileSync(join(folder, 'app.ts'), '');
  await eventually(() => runs.length === 3);
  expect(changed).toEqual(['page.eta', 'app.ts']);
  expect(runs.map(({ stopped }) => stopped)).toEqual([true, true, false]);
  await program.stop();
  expect(runs.at(-1)?.stopped).toBe(true);
  expect(await program.exited).toBe(0);
});

test('every save by rename counts, as editors save, also in a folder that is new', async () => {
  const { runs, launch } = createRuns(true);
  writeFileSync(join(folder, 'app.ts'), '');
  const program = restartOnChange(launch, [folder], () => undefined);
  const save = (file: string) => {
    writeFileSync(join(folder, 'saved.tmp'), '');
    renameSync(join(folder, 'saved.tmp'), join(folder, file));
  };
  for (const expected of [2, 3, 4]) {
    save('app.ts');
    await eventually(() => runs.length === expected);
  }
  mkdirSync(join(folder, 'new'));
  save('new/page.eta');
  await eventually(() => runs.length === 5);
  await program.stop();
});

test('a program that cannot start ends the whole start', async () => {
  const { runs, launch } = createRuns(false);
  const program = restartOnChange(launch, [folder], () => undefined);
  runs[0]?.end(1);
  expect(await program.exited).toBe(1);
  await program.stop();
});
