// Runs once for the project `processes`: removes the programs compiled by processes-setup.ts, and stops the cluster.

import { rmSync } from 'node:fs';
import type { GlobalConfig } from 'jest';
import globalTeardown from './global-teardown';

export default async function tearDownProcesses(config: GlobalConfig): Promise<void> {
  if (globalThis.compiledPrograms) rmSync(globalThis.compiledPrograms, { recursive: true, force: true });
  await globalTeardown(config);
}
