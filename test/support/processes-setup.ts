// Runs once for the project `processes`: starts the cluster of test/support/postgres.ts, and compiles both programs.

import globalSetup from './global-setup';
import { compilePrograms } from './processes';

declare global {
  var compiledPrograms: string | undefined;
}

export default async function setUpProcesses(): Promise<void> {
  globalThis.compiledPrograms = compilePrograms();
  process.env['TEST_PROGRAMS'] = globalThis.compiledPrograms;
  await globalSetup();
}
