// Identifies the sender of a webhook request and applies the service's address list (§6.3). The webhook and GET
// /api/source-address share this code, so they always agree. The second half detects a reverse proxy that is missing
// from TRUSTED_PROXIES: every notification is then refused, until reconciliation finds the payment.

import type { IncomingMessage } from 'node:http';
import {
  isPrivateAddress,
  parseAddressList,
  plainAddress,
  type AddressList,
} from '../../platform/address-list';
import type { Config } from '../../platform/config';
import type { Context } from '../../platform/context';
import type { SeenSource } from '../../platform/http/source-address';
import { createQuietNotice } from '../../platform/quiet-notice';
import { settingsOf } from '../../platform/settings';
import { webhookSettings } from './settings';

/** The settings, parsed once. */
export type SourceRules = { allowed: AddressList; trustedProxies: AddressList; observe: boolean };

export type SourceJudgement = SeenSource & {
  /** Whether the sender is one of WEBHOOK_SOURCE_ADDRESSES. */
  listed: boolean;
  /** Whether the body is read. A sender without an address is never let in. */
  letIn: boolean;
};

export function sourceRules(config: Pick<Config, 'values' | 'trustedProxies'>): SourceRules {
  const { WEBHOOK_SOURCE_ADDRESSES, WEBHOOK_SOURCE_CHECK } = settingsOf(config, webhookSettings);
  return {
    allowed: parseAddressList(WEBHOOK_SOURCE_ADDRESSES).list,
    trustedProxies: parseAddressList(config.trustedProxies).list,
    observe: WEBHOOK_SOURCE_CHECK === 'observe',
  };
}

export function judgeSource(rules: SourceRules, seen: SeenSource): SourceJudgement {
  const listed = rules.allowed.includes(seen.client);
  return { ...seen, listed, letIn: listed || (rules.observe && seen.client !== null) };
}

export type HiddenSender = {
  kind:
    /** The proxy names the sender, but it is not trusted. */
    | 'proxy_not_trusted'
    /** The proxy does not name the sender in `X-Forwarded-For`. */
    | 'no_forwarded_for'
    /** A trusted proxy has written something other than an address. */
    | 'unreadable_forwarded_for'
    /** The trusted proxies name one of themselves as the sender. */
    | 'sender_is_proxy';
  proxy: string;
};

/**
 * Why an unlisted sender may still be the service; null if it is a stranger. A public address counts only if it says
 * that it forwards for a listed address, which a stranger can write as well.
 */
export function findHiddenSender(
  { peer, forwardedFor, client }: SourceJudgement,
  { allowed, trustedProxies }: SourceRules,
  request: IncomingMessage,
): HiddenSender | null {
  if (peer === null) return null;
  if (client === null) return { kind: 'unreadable_forwarded_for', proxy: peer };
  const isListed = (address: string | null | undefined) => address != null && allowed.includes(address);
  // A trusted address is taken for the sender only if the whole chain is trusted, so there is no address behind it.
  if (trustedProxies.includes(client))
    return { kind: forwardedFor.length === 0 ? 'no_forwarded_for' : 'sender_is_proxy', proxy: client };
  const chain = [peer, ...forwardedFor.toReversed()];
  const behind = chain[chain.indexOf(client) + 1];
  if (isListed(behind)) return { kind: 'proxy_not_trusted', proxy: client };
  if (isPrivateAddress(client))
    return { kind: behind === undefined ? 'no_forwarded_for' : 'proxy_not_trusted', proxy: client };
  return isListed(lastForwarded(request)) ? { kind: 'no_forwarded_for', proxy: client } : null;
}

/** How to fix it, with the exact setting. */
function hiddenSenderFix({ kind, proxy }: HiddenSender, trustedProxies: readonly string[]): string {
  switch (kind) {
    case 'proxy_not_trusted':
      return nameProxies([proxy], trustedProxies);
    case 'no_forwarded_for':
      return parseAddressList(trustedProxies).list.includes(proxy)
        ? ADD_SENDER
        : `${nameProxies([proxy], trustedProxies)} ${ADD_SENDER}`;
    case 'sender_is_proxy':
      return `TRUSTED_PROXIES names ${proxy} already, so the setting is right. Is there another proxy in front of it? ${ADD_SENDER} Otherwise a program on that machine has sent the request, such as a sandbox behind a proxy that overwrites X-Forwarded-For.`;
    case 'unreadable_forwarded_for':
      return PLAIN_ADDRESSES;
  }
}

export const ADD_SENDER =
  'Have the proxy add the address of the sender to X-Forwarded-For (nginx: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;).';
export const PLAIN_ADDRESSES =
  'Have the proxy write plain addresses into X-Forwarded-For, without ports or names.';

/** The setting that also names these proxies. A public address may belong to a stranger, who must not be trusted. */
export function nameProxies(proxies: readonly string[], trustedProxies: readonly string[]): string {
  const setting = `TRUSTED_PROXIES=${[...new Set([...trustedProxies, ...proxies])].join(',')}`;
  const foreign = proxies.filter((proxy) => !isPrivateAddress(proxy));
  if (foreign.length === 0) return `Set ${setting} and restart.`;
  return `If ${foreign.join(', ')} is your own reverse proxy, set ${setting} (or its range, if it has several addresses) and restart. If it is not, a stranger pretends to be the payment service: do not add it.`;
}

/** Each refusal also has its own log line. */
export function createHiddenSenderNotice(context: Context) {
  const { config, logger } = context;
  const notice = createQuietNotice(context);
  return (found: HiddenSender, requestId: unknown): void =>
    notice((times) =>
      logger.warn({
        event: 'webhook_sender_hidden',
        ...found,
        refused: settingsOf(config, webhookSettings).WEBHOOK_SOURCE_CHECK === 'enforce',
        fix: hiddenSenderFix(found, config.trustedProxies),
        request_id: requestId,
        times,
      }),
    );
}

/** The last `for` of a `Forwarded` header (RFC 7239). It is used for this log line only. */
function lastForwarded({ headers }: IncomingMessage): string | null {
  const last = headers.forwarded?.slice(-200).split(',').at(-1) ?? '';
  const [, address] = /(?:^|;)\s*for="?\[?([0-9a-f.:]+?)\]?(?::\d+)?"?\s*(?:;|$)/i.exec(last) ?? [];
  return address === undefined ? null : plainAddress(address);
}
