// One operation of the service as data. The list of all endpoints decides what is served, what faults can be set on,
// what is counted, and which methods a 405 names.

import type { Answer } from './answer';

export type Call = {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
};

export type Endpoint = {
  method: 'GET' | 'POST' | 'DELETE';
  /** With the document's names: `/payments/:svc_uid`. */
  path: string;
  /** The generation whose token the call needs (§4, §5.7); `open` for the two calls that issue tokens. */
  access: 'open' | 'legacy' | 'newer';
  handle(call: Call): Answer | Promise<Answer>;
};

export const endpointName = (endpoint: Endpoint) => `${endpoint.method} ${endpoint.path}`;
