// What a request was about: the payment and the orders that it names, and what was sent and answered, without card data and
// credentials.

import type { Answer } from './answer';
import type { Call } from './endpoint';
import { keptQuery, keptText } from './kept-body';

export type RequestDetails = {
  /** The payment that the answer names, else the one that the request names; null if there is none. */
  svcUid: string | null;
  /** The id of the last notification that was written when the request arrived: it orders both within a second. */
  lastNotification: number;
  /** The orders that path, query or body name. */
  merchantUids: readonly string[];
  /** With its question mark; '' if there is none. */
  query: string;
  /** As JSON text; null if there was no body. */
  sent: string | null;
  received: string | null;
};

/** @param known the payment that the path names, and the last notification at the time of arrival */
export function detailsOf(
  { svcUid: ofPath, lastNotification }: Pick<RequestDetails, 'svcUid' | 'lastNotification'>,
  call: Call,
  answer: Answer,
): RequestDetails {
  const { params, query, body } = call;
  const { response } = (answer.body ?? {}) as { response?: unknown };
  const schedules = Array.isArray(body['schedules']) ? (body['schedules'] as unknown[]) : [];
  return {
    svcUid: textsIn(response, 'svc_uid')[0] ?? ofPath ?? textsIn(body, 'svc_uid')[0] ?? null,
    lastNotification,
    merchantUids: [params, query, body, ...schedules].flatMap((fields) => textsIn(fields, 'merchant_uid')),
    query: keptQuery(query),
    sent: keptText(body),
    received: keptText(answer.body),
  };
}

/** The value of a field, or its values if it is a list. */
function textsIn(fields: unknown, name: string): string[] {
  const value =
    typeof fields === 'object' && fields !== null ? (fields as Record<string, unknown>)[name] : undefined;
  return [value].flat().filter((each) => typeof each === 'string');
}
