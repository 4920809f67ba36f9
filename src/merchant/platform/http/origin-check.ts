// Requests for pages must come from a browser on our own pages, under our own host name. This is a second defence after
// the signed form token, and the first one against DNS rebinding.

import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import type { Config } from '../config';
import { HttpError, type ErrorDefinition } from '../errors';
import { platformErrors } from '../platform-errors';
import { maskCardNumbers } from './mask-card-numbers';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

type OriginConfig = Pick<Config, 'publicOrigin'>;

/** The header that was refused, for the log. */
type RefusedHeader = { header: string; came: string | null; expected: string };

/** A page was asked for under another name, or from another site. `pageErrors` logs the header. */
export class OriginError extends HttpError {
  readonly refused: RefusedHeader;

  constructor(definition: ErrorDefinition, { header, came, expected }: RefusedHeader) {
    super(definition);
    this.refused = { header, came: came === null ? null : forLog(came), expected };
  }
}

const MOST_LOGGED = 200;

/** What a stranger has written: short, and without characters that a terminal would interpret. */
function forLog(text: string): string {
  return maskCardNumbers(text.slice(0, MOST_LOGGED).replace(/[^\x20-\x7e]/g, '?'));
}

/**
 * 400 for a foreign Host; 403 for a post caused by another site. A client that sends neither `Origin` nor
 * `Sec-Fetch-Site` is not a current browser, and still needs a form token.
 */
export function originCheck(config: OriginConfig): RequestHandler {
  return (request, _response, next) => {
    const { host = null } = request.headers;
    if (!isOurHost(request, config)) {
      const expected = config.publicOrigin ?? 'localhost or an IP address';
      throw new OriginError(platformErrors.foreign_host, { header: 'host', came: host, expected });
    }
    const refused = SAFE_METHODS.has(request.method) ? null : findCrossSite(request, config);
    if (refused) throw new OriginError(platformErrors.cross_site, refused);
    next();
  };
}

/**
 * Without a configured origin (production always has one), localhost is the only allowed name, and every IP address is
 * allowed.
 */
export function isOurHost({ headers }: Request, { publicOrigin }: OriginConfig): boolean {
  const host = normalHost(headers.host ?? '');
  if (host === null) return false;
  if (publicOrigin !== null) return host === normalHost(new URL(publicOrigin).host);
  const { hostname } = new URL(`http://${host}`);
  return hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

function findCrossSite({ headers }: Request, { publicOrigin }: OriginConfig): RefusedHeader | null {
  const { origin, host = '' } = headers;
  const site = headers['sec-fetch-site'];
  const expected = publicOrigin ?? host;
  if (site === 'cross-site') return { header: 'sec-fetch-site', came: site, expected: 'same-origin' };
  if (origin === undefined || isOurOrigin(origin, host, publicOrigin)) return null;
  return { header: 'origin', came: origin, expected };
}

function isOurOrigin(origin: string, host: string, publicOrigin: string | null): boolean {
  const came = readOrigin(origin);
  if (came === null) return false;
  // The scheme is not compared: it is unknown behind a proxy that terminates TLS.
  if (publicOrigin === null) return came.host === normalHost(host);
  const expected = readOrigin(publicOrigin);
  return came.host === expected?.host && came.protocol === expected.protocol;
}

function readOrigin(text: string): { protocol: string; host: string } | null {
  const [, scheme = '', authority = ''] = /^(https?):\/\/([^/]*)$/i.exec(text) ?? [];
  const host = scheme === '' ? null : normalHost(authority);
  return host === null ? null : { protocol: scheme.toLowerCase(), host };
}

/** Host and port as they stand in a header: no path, no user, nothing encoded. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d*)?$/i;
/** Behind a proxy that terminates TLS, the scheme of the request is unknown, so either may be left out. */
const DEFAULT_PORT = /:(?:80|443)$/;

/**
 * A host in lower case, without the default port and the dot of a fully qualified name, and an IP address in its
 * canonical spelling. Null if it is not a host.
 */
function normalHost(text: string): string | null {
  if (!HOST.test(text)) return null;
  const withoutDot = text.replace(/\.(?=$|:\d*$)/, '');
  if (!URL.canParse(`http://${withoutDot}`)) return null;
  return new URL(`http://${withoutDot}`).host.replace(DEFAULT_PORT, '');
}
