// The settings of events: the URL to which they are posted, and the secrets that sign them.

import type { Config } from '../../platform/config';
import type { Secrets } from '../../platform/secrets';
import { isPlainHttpUrl, liveUrlProblems, wrongHosts } from '../../platform/setting-urls';
import {
  defineSettings,
  httpUrl,
  list,
  settingsOf,
  standardWebhooksSecrets,
  type Given,
} from '../../platform/settings';

export const eventSettings = defineSettings({
  shape: {
    ORDER_EVENTS_URL: httpUrl.optional(),
    ORDER_EVENTS_SECRET: standardWebhooksSecrets.optional(),
    ORDER_EVENTS_ALLOW: list.refine(
      (entries) => wrongHosts(entries).length === 0,
      'must be host names, addresses or ranges, such as shop.internal or 10.1.0.0/16; no range that is too wide',
    ),
  },
  problems: (given, production) => [...halfSet(given), ...(production ? notLive(given) : [])],
});

export type EventReceiver = { url: string; secrets: Secrets };

/** Null if events are posted nowhere. */
export function eventReceiver(config: Pick<Config, 'values'>): EventReceiver | null {
  const { ORDER_EVENTS_URL: url, ORDER_EVENTS_SECRET: secrets } = settingsOf(config, eventSettings);
  return url === undefined || secrets === undefined ? null : { url, secrets };
}

/** The hosts and ranges that may be private in production. */
export function allowedHosts(config: Pick<Config, 'values'>): readonly string[] {
  return settingsOf(config, eventSettings).ORDER_EVENTS_ALLOW;
}

/** Without a secret, the receiver could not tell a real event from a forged one. */
function halfSet(given: Given): string[] {
  const [hasUrl, hasSecret] = ['ORDER_EVENTS_URL', 'ORDER_EVENTS_SECRET'].map((name) => name in given);
  if (hasUrl === hasSecret) return [];
  return hasUrl
    ? ['ORDER_EVENTS_SECRET: is missing; make one with: echo whsec_$(openssl rand -base64 32)']
    : [
        'ORDER_EVENTS_URL: is missing; leave ORDER_EVENTS_SECRET out, too, if events are to be posted nowhere',
      ];
}

function notLive({ ORDER_EVENTS_URL: url, ORDER_EVENTS_ALLOW: allow }: Given): string[] {
  if (url === undefined || !isPlainHttpUrl(url)) return [];
  const problems = liveUrlProblems(url, { hosts: list.parse(allow), setting: 'ORDER_EVENTS_ALLOW' });
  return problems.map((problem) => `ORDER_EVENTS_URL: ${problem}`);
}
