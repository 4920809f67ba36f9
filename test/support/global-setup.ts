// Runs once for the projects with a database: starts the cluster of test/support/postgres.ts. Workers inherit its address. With
// `npm test -- --watchAll` all runs share one cluster.

import { startTestCluster, type TestCluster } from './postgres';

declare global {
  var testCluster: TestCluster | undefined;
}

export default async function globalSetup(): Promise<void> {
  // A program that runs jest many times provides one cluster for all runs.
  if (process.env['TEST_TEMPLATE_URL'] !== undefined) return;
  globalThis.testCluster = await startTestCluster();
  process.env['TEST_TEMPLATE_URL'] = globalThis.testCluster.templateUrl;
}
