// Runs properties and reports failures. Settings from the environment: PROPERTY_RUNS for longer runs, PROPERTY_SEED and
// PROPERTY_PATH to replay a failure. Without a seed the values are the same each time, so only a code change makes a test fail.

import fc from 'fast-check';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 200);
const SEED = Number(process.env['PROPERTY_SEED'] ?? 2026);
const PATH = process.env['PROPERTY_PATH'];

/**
 * Checks a property with many values. A failure prints the smallest failing value, the seed, and a command to replay it.
 * @param times the number of runs, if it differs from the usual one
 */
export function holds(property: fc.IAsyncProperty<any>, times?: number): Promise<void>;
export function holds(property: fc.IProperty<any>, times?: number): void;
export function holds(property: fc.IRawProperty<any>, times = 1): unknown {
  return fc.assert(property as fc.IProperty<any>, {
    numRuns: RUNS * times,
    seed: SEED,
    ...(PATH === undefined ? {} : { path: PATH }),
    reporter: report,
  });
}

function report(details: fc.RunDetails<unknown>): void {
  if (!details.failed) return;
  const message = fc.defaultReportMessage(details) ?? '';
  throw new Error(`${message}\n\nReplay it:\n  ${replayCommand(details)}`, { cause: details.errorInstance });
}

function replayCommand({ seed, counterexamplePath }: fc.RunDetails<unknown>): string {
  const { testPath = '', currentTestName = '' } = expect.getState();
  const file = testPath.slice(testPath.lastIndexOf('/test/') + 1);
  const name = `^${currentTestName.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`.replaceAll("'", "'\\''");
  return `PROPERTY_SEED=${seed} PROPERTY_PATH=${counterexamplePath ?? '0'} npx jest ${file} -t '${name}'`;
}
