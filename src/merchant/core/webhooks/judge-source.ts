// Who sends a request to the webhook, and whether the service's list lets it in (§6.3). The webhook asks it, and so does
// GET /api/source-address, so that what the second says is what the first does.

import { parseAddressList, type AddressList } from '../../platform/address-list';
import type { Config } from '../../platform/config';
import type { SeenSource } from '../../platform/http/source-address';

/** The settings, parsed once. */
export type SourceRules = { allowed: AddressList; trustedProxies: AddressList; observe: boolean };

export type SourceJudgement = SeenSource & {
  /** Whether the sender is one of WEBHOOK_SOURCE_ADDRESSES. */
  listed: boolean;
  /** Whether the body would be read. Somebody without an address is never let in. */
  letIn: boolean;
};

export function sourceRules({
  webhook,
  trustedProxies,
}: Pick<Config, 'webhook' | 'trustedProxies'>): SourceRules {
  return {
    allowed: parseAddressList(webhook.sourceAddresses).list,
    trustedProxies: parseAddressList(trustedProxies).list,
    observe: webhook.sourceCheck === 'observe',
  };
}

export function judgeSource(rules: SourceRules, seen: SeenSource): SourceJudgement {
  const listed = rules.allowed.includes(seen.client);
  return { ...seen, listed, letIn: listed || (rules.observe && seen.client !== null) };
}
