// What a route says of itself: the schemas that it parses with, its answers and its error codes; and an example of a call.

import type { z } from 'zod';
import type { Scope } from '../context';
import type { ErrorDefinition } from '../errors';

export type Answer = {
  description: string;
  schema: z.ZodType;
  contentType?: string;
  /** A valid body. */
  example?: unknown;
};

export type RouteDescription = {
  method: 'get' | 'post' | 'delete';
  /** The full path, such as "/api/orders/{merchant_uid}". */
  path: string;
  /** A few words. Details go into `description`. */
  summary: string;
  description?: string;
  /** The scope that the API key needs; `open`: no key. */
  access: Scope | 'open';
  query?: z.ZodObject;
  body?: Body;
  /** By HTTP status. */
  answers: Readonly<Record<number, Answer>>;
  errors: readonly ErrorDefinition[];
};

/** `example`: a body that succeeds, perhaps after some setup. */
type Body = { schema: z.ZodType; contentTypes: readonly string[]; example?: unknown };

/** A call of an operation with its example values. */
export type ExampleRequest = {
  method: string;
  /** Includes a query if one is required. */
  path: string;
  needsKey: boolean;
  /** JSON, or null without a body. */
  body: string | null;
};

/** The request as a POSIX shell command. The variable API_KEY holds the key. */
export function curlCommand({ method, path, needsKey, body }: ExampleRequest, origin: string): string {
  return [
    // curl uses POST by itself if there is a body.
    `curl ${method === 'GET' || body !== null ? '' : `-X ${method} `}${quoted(origin + path)}`,
    ...(needsKey ? ['-H "Authorization: Bearer $API_KEY"'] : []),
    ...(body === null ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`]),
  ].join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
