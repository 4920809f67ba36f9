// Once per run of the projects with a database: stops the cluster that test/support/global-setup.ts has started.

export default async function globalTeardown(): Promise<void> {
  await globalThis.testCluster?.stop();
}
