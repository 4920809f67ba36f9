// `npm run doctor` asks a running server as whom it sees a sender: straight, and through PUBLIC_URL.

import { sourceAnswerSchema, type SourceAnswer } from '../core/webhooks/source-routes';
import type { Config } from '../platform/config';
import { askUrl } from './ask-url';

/** Reserved for documentation (RFC 5737): nobody sends from it. */
export const FOREIGN_ADDRESS = '203.0.113.7';

/** `answer` is null where it is no answer of this route: of another server, or of a proxy that keeps /api to itself. */
export type AskedSource = { status: number; answer: SourceAnswer | null; localAddress: string | null };

/** @param forwardedFor what the sender itself writes into X-Forwarded-For */
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
