// The payment service and the shop under names of their own with TLS in front, because production refuses addresses of this machine.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAuthority } from './certificates';
import { startTlsFront } from './tls-front';

const RESOLVE_TEST_NAMES = join(__dirname, 'resolve-test-names.cjs');
/** What deploy/nginx.conf answers with a 403 to clients outside. */
export const KEPT_INSIDE = /^\/(?!api\/source-address)(api|operator|docs|openapi)/;

export type Hosts = Awaited<ReturnType<typeof openHosts>>;

/** @param folder for the certificate of the authority */
export async function openHosts(folder: string) {
  const authority = createAuthority();
  const service = await startTlsFront(authority.issue('service.test'));
  const shop = await startTlsFront(authority.issue('shop.test'));
  const authorities = join(folder, 'ca.pem');
  writeFileSync(authorities, authority.cert);
  return {
    service,
    shop,
    serviceUrl: `https://service.test:${service.port}`,
    publicUrl: `https://shop.test:${shop.port}`,
    /** Environments of processes: one that finds the names, and one that trusts the authority. */
    finding: { NODE_OPTIONS: `--require=${JSON.stringify(RESOLVE_TEST_NAMES)}` },
    trusting: { NODE_EXTRA_CA_CERTS: authorities },
    async close(): Promise<void> {
      await shop.close();
      await service.close();
    },
  };
}
