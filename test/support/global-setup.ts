// Once per run of the projects with a database: the cluster of test/support/postgres.ts. Workers inherit the address.

import { startTestCluster, type TestCluster } from './postgres';

declare global {
  var testCluster: TestCluster | undefined;
}

export default async function globalSetup(): Promise<void> {
  globalThis.testCluster = await startTestCluster();
  process.env['TEST_TEMPLATE_URL'] = globalThis.testCluster.templateUrl;
}
