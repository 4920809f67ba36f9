// Pages are served only under our own host, and forms are accepted only from our own pages.

import type { Request, Response } from 'express';
import { HttpError } from '../../../../src/merchant/platform/errors';
import { originCheck } from '../../../../src/merchant/platform/http/origin-check';

type Config = { publicOrigin: string | null };
const DEVELOPMENT: Config = { publicOrigin: null };
const PUBLIC: Config = { publicOrigin: 'https://shop.example' };
const PUBLIC_PORT: Config = { publicOrigin: 'https://shop.example:8443' };
const PUBLIC_V6: Config = { publicOrigin: 'https://[2001:db8::1]' };

/** 200 if the check passes, else the status of the refusal. */
function checked(config: Config, method: string, headers: Record<string, string>): number {
  const request = { method, headers } as unknown as Request;
  try {
    originCheck(config)(request, {} as Response, () => undefined);
    return 200;
  } catch (error) {
    return (error as HttpError).status;
  }
}

test.each<[string, Config, string, number]>([
  ['the public name', PUBLIC, 'shop.example', 200],
  ['the public name in capitals', PUBLIC, 'SHOP.example', 200],
  ['the public name with the port of its scheme', PUBLIC, 'shop.example:443', 200],
  ['the public name with the other default port', PUBLIC, 'shop.example:80', 200],
  ['the public name with an empty port', PUBLIC, 'shop.example:', 200],
  ['the public name, fully qualified', PUBLIC, 'Shop.Example.', 200],
  ['the public name, fully qualified, with the port', PUBLIC, 'shop.example.:443', 200],
  ['the public address of IPv6, written otherwise', PUBLIC_V6, '[2001:DB8:0:0::1]:443', 200],
  ['another address of IPv6', PUBLIC_V6, '[2001:db8::2]', 400],
  ['the public name with a port, of which it has one', PUBLIC_PORT, 'shop.example:8443', 200],
  ['the public name without its port', PUBLIC_PORT, 'shop.example', 400],
  ['the public name with two dots', PUBLIC, 'shop.example..', 400],
  ['the public name after a user', PUBLIC, 'evil@shop.example', 400],
  ['the public name with a path', PUBLIC, 'shop.example/evil', 400],
  ['the public name with a question mark', PUBLIC, 'shop.example?evil', 400],
  ['the public name, encoded', PUBLIC, 'shop%2eexample', 400],
  ['a name that begins with the public one', PUBLIC, 'shop.example.evil.example', 400],
  ['another name', PUBLIC, 'evil.example', 400],
  ['the public name with a port', PUBLIC, 'shop.example:8443', 400],
  ['an address where a name is set', PUBLIC, '192.168.0.7', 400],
  ['localhost in development', DEVELOPMENT, 'localhost:3000', 200],
  ['localhost in development, fully qualified', DEVELOPMENT, 'LOCALHOST.:80', 200],
  ['an address in development', DEVELOPMENT, '[::1]:3000', 200],
  ['a name in development', DEVELOPMENT, 'shop.example', 400],
  ['a name that begins with an address', DEVELOPMENT, '127.0.0.1.evil.example', 400],
  ['no host', DEVELOPMENT, '', 400],
])('the Host is %s (I12)', (_name, config, host, status) => {
  expect(checked(config, 'GET', { host })).toBe(status);
});

test.each<[string, Config, Record<string, string>, number]>([
  ['from our own page', PUBLIC, { origin: 'https://shop.example', 'sec-fetch-site': 'same-origin' }, 200],
  ['from our own page, with the port', PUBLIC, { origin: 'HTTPS://Shop.example:443' }, 200],
  ['from our own page, fully qualified', PUBLIC, { origin: 'https://shop.example.' }, 200],
  ['from our own page, with a path', PUBLIC, { origin: 'https://shop.example/' }, 403],
  ['from another port of ours', PUBLIC, { origin: 'https://shop.example:8443' }, 403],
  ['from a user at our name', PUBLIC, { origin: 'https://evil@shop.example' }, 403],
  ['from two origins', PUBLIC, { origin: 'https://shop.example, https://shop.example' }, 403],
  ['from our name without TLS', PUBLIC, { origin: 'http://shop.example' }, 403],
  [
    'from a sibling domain',
    PUBLIC,
    { origin: 'https://www.shop.example', 'sec-fetch-site': 'same-site' },
    403,
  ],
  ['from nowhere', PUBLIC, { origin: 'null' }, 403],
  ['from another site', PUBLIC, { 'sec-fetch-site': 'cross-site' }, 403],
  ['from no browser', PUBLIC, {}, 200],
  ['in development, behind a proxy that ends TLS', DEVELOPMENT, { origin: 'https://localhost' }, 200],
  ['in development, from elsewhere', DEVELOPMENT, { origin: 'https://evil.example' }, 403],
])('a post %s (I2)', (_name, config, headers, status) => {
  const host = config === PUBLIC ? 'shop.example' : 'localhost';
  expect(checked(config, 'POST', { host, ...headers })).toBe(status);
});
