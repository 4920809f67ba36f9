// The log of received requests: method, endpoint, path and status. It holds no body, no header and no query, and it
// masks digits in a path that look like a card number.

import { maskDigits } from './mask-digits';

export type LoggedRequest = {
  /** Of the order in which they came. */
  number: number;
  at: number;
  method: string;
  endpoint: string;
  path: string;
  /** The payment that the path names, null if it names none. Unlike the path it is not masked: it is an id of ours. */
  svc_uid: string | null;
  /** Null until the request is answered, and forever if it never is. */
  status: number | null;
  took_ms: number | null;
  /** True if the token came without the word Bearer (§5.3). */
  bare_token: boolean;
  fault: string | null;
};

export type RequestLog = {
  /** Returns the stored entry, so that the caller can add the status later. */
  add(request: Omit<LoggedRequest, 'number'>): LoggedRequest;
  list(endpoint?: string): LoggedRequest[];
  count(endpoint?: string): { count: number; total: number; endpoints: Record<string, number> };
  clear(): void;
};

const MAX_LISTED = 10_000;

export function createRequestLog(): RequestLog {
  let requests: LoggedRequest[] = [];
  let last = 0;
  const counts = new Map<string, number>();
  return {
    add(request) {
      last += 1;
      const logged = { number: last, ...request, path: maskDigits(request.path) };
      requests.push(logged);
      if (requests.length > 2 * MAX_LISTED) requests = requests.slice(-MAX_LISTED);
      counts.set(request.endpoint, (counts.get(request.endpoint) ?? 0) + 1);
      return logged;
    },
    list: (endpoint) =>
      requests
        .slice(-MAX_LISTED)
        .filter((request) => endpoint === undefined || request.endpoint === endpoint),
    count(endpoint) {
      const total = [...counts.values()].reduce((sum, each) => sum + each, 0);
      const count = endpoint === undefined ? total : (counts.get(endpoint) ?? 0);
      return { count, total, endpoints: Object.fromEntries(counts) };
    },
    clear() {
      requests = [];
      counts.clear();
    },
  };
}
