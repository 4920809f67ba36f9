// Runs once for the projects with a database: stops the cluster of test/support/global-setup.ts.

import type { GlobalConfig } from 'jest';

export default async function globalTeardown({ watch, watchAll }: GlobalConfig): Promise<void> {
  // The next run of a watch uses the same cluster, which stops when jest ends.
  if (watch || watchAll) return;
  await globalThis.testCluster?.stop();
  globalThis.testCluster = undefined;
}
