// Once per run of the projects with a database: stops the cluster that test/support/global-setup.ts has started, and removes
// what processes-setup.ts has compiled.

import { rmSync } from 'node:fs';

export default async function globalTeardown(): Promise<void> {
  await globalThis.testCluster?.stop();
  if (globalThis.compiledPrograms) rmSync(globalThis.compiledPrograms, { recursive: true, force: true });
}
