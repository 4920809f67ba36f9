// Bends the next answers of one endpoint, exactly as often as asked, the oldest fault first.
import { z } from 'zod';
import { Refusal } from './answer';
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

const faultSchema = z.object({
  endpoint: z.string(),
  times: wholeNumber(1).default(1),
  kind: z.enum(FAULT_KINDS).default('status'),
  /** status: default 500; redirect: default 302; html and garbage: default 200. */
  status: optional(wholeNumber(200, 599)),
  /** delay: default 1000; drip: the pause between two bytes, default 1000; all others: wait before. */
  delay_ms: optional(wholeNumber(0, 600_000)),
  /** status, html and garbage: what to answer instead, as JSON or as plain text. */
  body: z.unknown().optional(),
  /** garbage: as many bytes of it. */
  bytes: optional(wholeNumber(0, 200_000_000)),
  /** status and redirect: further headers, such as retry-after or location. */
  headers: z.record(z.string(), z.string()).default({}),
});

export type Fault = z.output<typeof faultSchema>;

export type Faults = {
  add: (fields: unknown) => Fault;
  /** The fault for this request, used up; undefined where there is none. */
  take(endpoint: string): Fault | undefined;
  list(): Fault[];
  /** What can be bent. */
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
      if (endpoint === undefined) throw new Refusal(400, `endpoint: one of ${endpoints.join(', ')}`);
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

// `/payments/:svc_uid`, `/payments/{svc_uid}` and `/payments/:id` name the same endpoint.
function shapeOf(endpoint: string): string {
  return endpoint.trim().replace(/:\w+|\{\w+\}/g, ':');
}
