// Which requests arrived: method, endpoint, path, status. Never a body, a header or a query, and anything that
// looks like a card number in a path is masked (no card data, no secrets).
export type LoggedRequest = {
  at: number;
  method: string;
  endpoint: string;
  path: string;
  /** Null until it is answered, and for one that never was. */
  status: number | null;
  took_ms: number | null;
  /** The token came without the word Bearer (§5.3 allows for such clients). */
  bare_token: boolean;
  fault: string | null;
};

export type RequestLog = {
  /** The entry as it is kept, so that its end can be noted in it. */
  add(request: LoggedRequest): LoggedRequest;
  list(endpoint?: string): LoggedRequest[];
  count(endpoint?: string): { count: number; total: number; endpoints: Record<string, number> };
  clear(): void;
};

const LONGEST = 10_000;

export function createRequestLog(): RequestLog {
  let requests: LoggedRequest[] = [];
  const counts = new Map<string, number>();
  return {
    add(request) {
      const logged = { ...request, path: maskDigits(request.path) };
      requests.push(logged);
      if (requests.length > 2 * LONGEST) requests = requests.slice(-LONGEST);
      counts.set(request.endpoint, (counts.get(request.endpoint) ?? 0) + 1);
      return logged;
    },
    list: (endpoint) =>
      requests.slice(-LONGEST).filter((request) => endpoint === undefined || request.endpoint === endpoint),
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

function maskDigits(path: string): string {
  return path.replace(
    /\d{4}(?:-|%2[Dd]|%20)?\d{2}(?=\d{2})[\d-]{5,}/g,
    (digits) => `${digits.slice(0, 4)}****`,
  );
}
