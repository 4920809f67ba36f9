// Requests by `npm run doctor` to our own URLs, as an outside client sends them: certificates are always verified,
// redirects are not followed, and the host's HTTP(S)_PROXY is not used.

import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { TLSSocket } from 'node:tls';
import { sourceAnswerSchema, type SourceAnswer } from '../core/webhooks/source-routes';
import { plainAddress } from '../platform/address-list';
import type { Config } from '../platform/config';

export type UrlAnswer = {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** When the certificate expires; null without TLS. */
  validTo: Date | null;
  /** Our own address on this connection, as seen on this machine. */
  localAddress: string | null;
};

const DEADLINE_MS = 5_000;
const MAX_BYTES = 1024 * 1024;

/** @throws Error with a `code`, such as ENOTFOUND or DEPTH_ZERO_SELF_SIGNED_CERT; `no answer` after five seconds */
export function askUrl(url: string, headers: Record<string, string> = {}): Promise<UrlAnswer> {
  return new Promise((resolve, reject) => {
    const options = { headers, agent: false, signal: AbortSignal.timeout(DEADLINE_MS) };
    const outgoing = url.startsWith('https:')
      ? requestHttps(url, { ...options, rejectUnauthorized: true }, read)
      : requestHttp(url, options, read);
    outgoing.on('error', reject);
    outgoing.end();

    function read(incoming: IncomingMessage): void {
      const validTo = endOfCertificate(incoming);
      const localAddress = plainAddress(incoming.socket.localAddress ?? '');
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > MAX_BYTES) incoming.destroy(new Error('the answer is too large'));
      });
      incoming.on('error', reject);
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, validTo, localAddress }),
      );
    }
  });
}

/** Why there was no answer, in a word or two. */
export function reasonOf(error: unknown): string {
  const { name, code, message, cause } = error as Error & { code?: string };
  if (name === 'AbortError' || name === 'TimeoutError') return 'no answer';
  if (cause !== undefined) return reasonOf(cause);
  return code ?? (message || name);
}

function endOfCertificate({ socket }: IncomingMessage): Date | null {
  return socket instanceof TLSSocket ? new Date(socket.getPeerCertificate().valid_to) : null;
}

/** Reserved for documentation (RFC 5737): no client sends from it. */
export const FOREIGN_ADDRESS = '203.0.113.7';

/** `answer` is null if another server answered, or a proxy that blocks /api. */
export type AskedSource = { status: number; answer: SourceAnswer | null; localAddress: string | null };

/**
 * Asks a running server which sender address it sees: directly, and through PUBLIC_URL.
 * @param forwardedFor what the sender itself writes into X-Forwarded-For
 */
export async function askSource(
  origin: string,
  { apiKeys }: Pick<Config, 'apiKeys'>,
  forwardedFor?: string,
): Promise<AskedSource> {
  const { status, text, localAddress } = await askUrl(`${origin}/api/source-address`, {
    authorization: `Bearer ${apiKeys[0]}`,
    ...(forwardedFor !== undefined && { 'x-forwarded-for': forwardedFor }),
  });
  return { status, answer: sourceAnswerSchema.safeParse(parseJson(text)).data ?? null, localAddress };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
