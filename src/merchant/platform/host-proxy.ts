// The proxy of a company, as the variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY of the host name it. They are set for every
// program of a host, so that they count only with SERVICE_PROXY=on: a proxy sees which service is called, and can hold a call back.

import type { ProxySettings } from '../payment-service/transport/undici-adapter';
import type { Given } from './settings';

/** Null if the host names no proxy. As in other programs, the names in lower case come first. */
export function hostProxy(given: Given): ProxySettings | null {
  const of = (name: string) => given[name.toLowerCase()] ?? given[name] ?? '';
  const proxy = { httpsProxy: of('HTTPS_PROXY'), httpProxy: of('HTTP_PROXY'), noProxy: of('NO_PROXY') };
  return proxy.httpsProxy || proxy.httpProxy ? proxy : null;
}

/** The address of a proxy may have a password, so no problem shows it. */
export function proxyProblems(given: Given): string[] {
  if (!/^(on|true)$/i.test(given['SERVICE_PROXY'] ?? '')) return [];
  const proxy = hostProxy(given);
  if (proxy === null)
    return ['SERVICE_PROXY: needs HTTPS_PROXY, the URL of the proxy, such as http://proxy.example.com:3128'];
  const isUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  return Object.entries({ HTTPS_PROXY: proxy.httpsProxy, HTTP_PROXY: proxy.httpProxy })
    .filter(([, url]) => url !== '' && !isUrl(url))
    .map(([name]) => `${name}: must be the URL of a proxy, such as http://proxy.example.com:3128`);
}
