// The live service cannot call a local address: a notification URL has to be reachable from the public network (§6.3).

import { lookup } from 'node:dns/promises';
import { BlockList } from 'node:net';

const LOCAL: [network: string, prefix: number, type: 'ipv4' | 'ipv6'][] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['::', 127, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
];
const local = new BlockList();
for (const network of LOCAL) local.addSubnet(...network);

/** Whether the host resolves to an address of this machine or of a private network. Rejects for an unknown host. */
export async function isLocal(url: string): Promise<boolean> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const addresses = await lookup(host, { all: true });
  return addresses.some(({ address, family }) => local.check(address, family === 6 ? 'ipv6' : 'ipv4'));
}
