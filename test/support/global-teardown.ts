// Runs once for the projects with a database: stops the cluster of test/support/global-setup.ts, and removes the programs compiled
// by processes-setup.ts.

import { rmSync } from 'node:fs';
import type { GlobalConfig } from 'jest';

export default async function globalTeardown({ watch, watchAll }: GlobalConfig): Promise<void> {
  // The next run of a watch uses the same cluster, which stops when jest ends.
  if (!watch && !watchAll) await globalThis.testCluster?.stop();
  if (globalThis.compiledPrograms) rmSync(globalThis.compiledPrograms, { recursive: true, force: true });
}
