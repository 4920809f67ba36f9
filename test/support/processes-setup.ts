// Once per run of the project `processes`: the cluster of test/support/postgres.ts, and both programs, compiled.

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
