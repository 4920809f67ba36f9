// Faults that a test sets on an endpoint: each changes the next answers of that endpoint, exactly as many times as
// requested, the oldest fault first.

import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';
import { HttpError } from './answer';
import { optional, parseFields, wholeNumber } from './fields';

export const FAULT_KINDS = [
  'status',
  'delay',
  'drip',
  'reset',
  'html',
  'garbage',
  'redirect',
  'lost_response',
  'unauthorized',
] as const;

export const faultSchema = z.object({
  endpoint: z.string(),
  times: wholeNumber(1).default(1),
  kind: z.enum(FAULT_KINDS).default('status'),
  /** Default 500 for status, 302 for redirect, 200 for html and garbage. */
  status: optional(wholeNumber(200, 599)),
  /** For drip the pause between two bytes, for every other kind the delay before the answer. Default 1000. */
  delay_ms: optional(wholeNumber(0, 600_000)),
  /** For status, html and garbage: the body instead of the usual one, as JSON or as plain text. */
  body: z.unknown().optional(),
  /** For garbage: the size of the body. */
  bytes: optional(wholeNumber(0, 200_000_000)),
  /** For status and redirect: more headers, such as retry-after or location. */
  headers: z.record(z.string(), z.string()).refine(canBeSent, 'has a header that cannot be sent').default({}),
});

export type Fault = z.output<typeof faultSchema>;

export type Faults = {
  add: (fields: unknown) => Fault;
  /** Returns the fault for this request and uses it up once; undefined if there is none. */
  take(endpoint: string): Fault | undefined;
  list(): Fault[];
  /** The endpoints that faults can be set on. */
  endpoints: readonly string[];
  clear(): void;
};

export function createFaults(endpoints: readonly string[]): Faults {
  const known = new Map(endpoints.map((endpoint) => [shapeOf(endpoint), endpoint]));
  let faults: Fault[] = [];
  return {
    endpoints,
    add(fields) {
      const fault = parseFields(faultSchema, fields);
      const endpoint = known.get(shapeOf(fault.endpoint));
      if (endpoint === undefined) throw new HttpError(400, `endpoint: one of ${endpoints.join(', ')}`);
      faults.push({ ...fault, endpoint });
      return { ...fault, endpoint };
    },
    take(endpoint) {
      const fault = faults.find((each) => each.endpoint === endpoint);
      if (!fault) return undefined;
      fault.times -= 1;
      faults = faults.filter((each) => each.times > 0);
      return fault;
    },
    list: () => faults.map((fault) => ({ ...fault })),
    clear: () => {
      faults = [];
    },
  };
}

// Node refuses these two beside a body that it writes itself.
const FRAMING = ['trailer', 'transfer-encoding'];

function canBeSent(headers: Record<string, string>): boolean {
  try {
    for (const [name, value] of Object.entries(headers)) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
    return !Object.keys(headers).some((name) => FRAMING.includes(name.toLowerCase()));
  } catch {
    return false;
  }
}

// `/payments/:svc_uid`, `/payments/{svc_uid}` and `/payments/:id` name the same endpoint.
function shapeOf(endpoint: string): string {
  return endpoint.trim().replace(/:\w+|\{\w+\}/g, ':');
}
