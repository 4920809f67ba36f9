// Once per run of the projects with a database: stops the cluster that test/support/global-setup.ts has started, and removes
// what processes-setup.ts has compiled.

import { rmSync } from 'node:fs';
import type { GlobalConfig } from 'jest';

export default async function globalTeardown({ watch, watchAll }: GlobalConfig): Promise<void> {
  // The next run of a watch takes the same one. It stops when jest ends.
  if (!watch && !watchAll) await globalThis.testCluster?.stop();
  if (globalThis.compiledPrograms) rmSync(globalThis.compiledPrograms, { recursive: true, force: true });
}
