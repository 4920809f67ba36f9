// The header of the demo shop, on all pages of a member while the sandbox is the payment service: its name, its places, and
// one click away the operator pages and the console.

import type { FeatureRows } from '../../platform/context';
import { isOurHost } from '../../platform/http/origin-check';
import type { PageHeader } from '../../platform/http/views';
import { isDemoOrder, sandboxOrigin } from './demo-shop';
import { en } from './texts.en';
import { ko } from './texts.ko';

const TEXTS = { ko, en };

/**
 * Null in production, and with a service that is not the sandbox: there is no demo shop then. Also null for a host that
 * is not ours, because the console's address would repeat it.
 */
export const shopHeader: PageHeader = ({ config }, request, lang) => {
  if (!config.sandboxMode || !isOurHost(request, config)) return null;
  const { header } = TEXTS[lang].demo;
  return {
    name: header.name,
    logo: 'demo-logo.svg',
    home: '/demo',
    places: [
      { path: '/demo', name: header.shop },
      { path: '/demo/orders', name: header.orders },
      { path: '/cards', name: header.cards },
    ],
    others: [
      { href: `${config.pathPrefix}/?lang=${lang}`, name: header.start },
      { href: `${config.pathPrefix}/operator?lang=${lang}`, name: header.operator },
      { href: `${sandboxOrigin(config, request)}/console?lang=${lang}`, name: header.console },
    ],
  };
};

/** The buyer's page of an order of this shop, and the calls in the console. */
export const shopLinks: NonNullable<FeatureRows['paymentLinks']> = async (
  { config },
  { svcUid, merchantUid, ownUrl },
) => {
  if (!config.sandboxMode) return [];
  const console = `${sandboxOrigin(config, new URL(ownUrl))}/console?q=${encodeURIComponent(svcUid)}`;
  const nameOf = (name: 'shop' | 'console') => ({ ko: ko.demo.header[name], en: en.demo.header[name] });
  return Promise.resolve([
    ...(isDemoOrder(merchantUid) ? [{ name: nameOf('shop'), href: `/demo/orders/${merchantUid}` }] : []),
    { name: nameOf('console'), href: console },
  ]);
};
