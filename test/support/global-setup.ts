// Once per run of the projects with a database: the cluster of test/support/postgres.ts. Workers inherit the address. Under
// `npm test -- --watchAll` the runs share one.

import { startTestCluster, type TestCluster } from './postgres';

declare global {
  var testCluster: TestCluster | undefined;
}

export default async function globalSetup(): Promise<void> {
  // A program that runs jest many times has a cluster of its own for all of them (proof/planted-bugs/run.ts).
  if (process.env['TEST_TEMPLATE_URL'] !== undefined) return;
  globalThis.testCluster = await startTestCluster();
  process.env['TEST_TEMPLATE_URL'] = globalThis.testCluster.templateUrl;
}
