// The log of received requests: method, endpoint, path and status, and of the latest ones what was sent and answered,
// without card data and credentials (kept-body.ts). It holds no header, and it masks digits in a path that look like a card
// number.

import { maskDigits } from './mask-digits';
import type { RequestDetails } from './request-details';

export type LoggedRequest = {
  /** Counts requests in order of arrival. */
  number: number;
  at: number;
  method: string;
  endpoint: string;
  path: string;
  /** The payment that the path names, null if it names none. Unlike the path it is not masked: it is our own id. */
  svc_uid: string | null;
  /** Null until the request is answered. */
  status: number | null;
  took_ms: number | null;
  /** True if the token came alone, with neither the word Bearer nor another scheme in front of it (§5.3). */
  bare_token: boolean;
  fault: string | null;
};

export type RequestLog = {
  /** Returns the stored entry, for `answered`. */
  add(request: Omit<LoggedRequest, 'number' | 'status' | 'took_ms'>): LoggedRequest;
  /** @param status null if the answer did not reach the caller */
  answered(logged: LoggedRequest, status: number | null, tookMs: number): void;
  /** Keeps the details of a request, and drops those of requests long ago. */
  describe(logged: LoggedRequest, details: RequestDetails): void;
  /** Undefined if they were dropped, or if the request was not read. */
  detailsOf(number: number): RequestDetails | undefined;
  list(endpoint?: string): LoggedRequest[];
  /** @param status counts only requests to the endpoint that were answered with this status */
  count(
    endpoint?: string,
    status?: string,
  ): { count: number; total: number; endpoints: Record<string, number> };
  clear(): void;
};

const MAX_LISTED = 10_000;
const MAX_DESCRIBED = 2_000;

export function createRequestLog(): RequestLog {
  let requests: LoggedRequest[] = [];
  let last = 0;
  const counts = new Map<string, number>();
  const described = new Map<number, RequestDetails>();
  /** By status and endpoint. */
  const answers = new Map<string, number>();
  const countOne = (among: Map<string, number>, key: string) => among.set(key, (among.get(key) ?? 0) + 1);
  return {
    add(request) {
      last += 1;
      const logged: LoggedRequest = {
        number: last,
        ...request,
        path: maskDigits(request.path),
        status: null,
        took_ms: null,
      };
      requests.push(logged);
      if (requests.length > 2 * MAX_LISTED) requests = requests.slice(-MAX_LISTED);
      countOne(counts, request.endpoint);
      return logged;
    },
    answered(logged, status, tookMs) {
      logged.status = status;
      logged.took_ms = tookMs;
      countOne(answers, `${status} ${logged.endpoint}`);
    },
    describe(logged, details) {
      described.set(logged.number, details);
      if (described.size > MAX_DESCRIBED) described.delete(described.keys().next().value ?? 0);
    },
    detailsOf: (number) => described.get(number),
    list: (endpoint) =>
      requests
        .slice(-MAX_LISTED)
        .filter((request) => endpoint === undefined || request.endpoint === endpoint),
    count(endpoint, status) {
      const total = [...counts.values()].reduce((sum, each) => sum + each, 0);
      const ofEndpoint =
        status === undefined ? counts.get(endpoint ?? '') : answers.get(`${status} ${endpoint}`);
      const count = endpoint === undefined ? total : (ofEndpoint ?? 0);
      return { count, total, endpoints: Object.fromEntries(counts) };
    },
    clear() {
      requests = [];
      described.clear();
      counts.clear();
      answers.clear();
    },
  };
}
