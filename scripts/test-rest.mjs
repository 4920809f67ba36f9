// `npm run test:rest`: the tests that `npm test` leaves out: browser, processes, simulation and this repository's own texts. They
// wait for real time, so a busy machine can make one fail: files with a failure are run once more, one at a time.
// With --outputFile=<path> the counts are written as JSON.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
const projects = ['browser', 'processes', 'repository'];
const outputFile = process.argv.find((arg) => arg.startsWith('--outputFile='))?.slice('--outputFile='.length);

const first = run([]);
const failed = first.testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
const passed = first.testResults.filter(({ status }) => status !== 'failed');
if (failed.length > 0) console.error(`\nOnce more, one at a time:\n${failed.join('\n')}\n`);
const second = failed.length > 0 ? run(['--runInBand', '--runTestsByPath', ...failed]) : { testResults: [] };

const results = [...passed, ...second.testResults];
const count = (wanted) =>
  results.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === wanted)
    .length;
const broken = results.filter(
  ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
);
const counts = {
  numPassedTests: count('passed'),
  numFailedTests: count('failed'),
  numRuntimeErrorTestSuites: broken.length,
};
if (outputFile) writeFileSync(outputFile, JSON.stringify(counts));
process.exitCode = first.ran && counts.numFailedTests + counts.numRuntimeErrorTestSuites === 0 ? 0 : 1;

function run(args) {
  const folder = mkdtempSync(join(tmpdir(), 'test-rest-'));
  const output = join(folder, 'results.json');
  try {
    spawnSync(
      process.execPath,
      [jest, '--json', `--outputFile=${output}`, '--selectProjects', ...projects, ...args],
      {
        cwd: root,
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    return { ran: true, ...JSON.parse(readFileSync(output, 'utf8')) };
  } catch {
    return { ran: false, testResults: [] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
