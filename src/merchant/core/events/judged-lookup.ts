// Where a name leads is judged when a connection is opened, and the connection goes to what was judged. Resolved a second
// time, the name could lead to another address (DNS rebinding).

import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPrivateAddress } from '../../platform/address-list';

/** A name that leads to this machine or a private network: in production that is a mistake, or somebody's trick. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
}

/** `dns.lookup` for all addresses of a name. */
export type Resolve = (
  hostname: string,
  options: { all: true; family?: number | 'IPv4' | 'IPv6'; hints?: number },
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** For `connect` of a connection. It is not called for a host that is an address. */
export function judgedLookup(resolve: Resolve, isPrivate = isPrivateAddress): LookupFunction {
  return (hostname, { all, family, hints }, callback) => {
    const options = { all: true, ...(family && { family }), ...(hints && { hints }) } as const;
    resolve(hostname, options, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error) return callback(error, []);
      if (!first) return callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), []);
      // One is enough: which of them would be taken is not ours to say.
      if (addresses.some(({ address }) => isPrivate(address))) return callback(new PrivateAddressError(), []);
      if (all) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}
