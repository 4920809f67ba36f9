// The description of a route in /openapi.json: the schemas that it parses with, its answers and its error codes.

import { z } from 'zod';
import type { ErrorDefinition } from '../errors';
import type { Scope } from '../context';

export type Answer = {
  description: string;
  schema: z.ZodType;
  contentType?: string;
  /** A valid body. */
  example?: unknown;
};

export type RouteDescription = {
  method: 'get' | 'post';
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

export function jsonBody(schema: z.ZodType, example: unknown): Body {
  return { schema, contentTypes: ['application/json'], ...(example !== undefined && { example }) };
}

/** `errors`: those with this answer's status. */
type DescribedAnswer = Answer & { errors?: readonly ErrorDefinition[] };

/** All answers of a route by HTTP status: its own, and its errors in their common format. */
export function allAnswers({ answers, errors }: RouteDescription): Map<number, DescribedAnswer> {
  const all = new Map<number, DescribedAnswer>(
    Object.entries(answers).map(([status, answer]) => [Number(status), answer]),
  );
  for (const [status, refusals] of byStatus(errors)) {
    const codes = refusals.map(({ code }) => code);
    const refusal = { description: codes.join(', '), schema: errorSchema(codes), errors: refusals };
    const own = all.get(status);
    all.set(status, own ? eitherOf(own, refusal) : refusal);
  }
  return all;
}

function byStatus(errors: readonly ErrorDefinition[]): Map<number, ErrorDefinition[]> {
  const found = new Map<number, ErrorDefinition[]>();
  for (const error of new Set(errors)) found.set(error.status, [...(found.get(error.status) ?? []), error]);
  return found;
}

const anyErrorSchema = z
  .strictObject({
    error: z.strictObject({
      code: z.string().meta({ description: 'For programs; stable.' }),
      message: z.string().meta({ description: 'For people; may change.' }),
      param: z.string().optional().meta({
        description: 'The field to correct, dotted; of several the first. Absent if it is no single field.',
      }),
      doc_url: z.string().optional().meta({ description: 'The page about this code.' }),
    }),
  })
  .meta({ id: 'Error', description: 'Why a request was refused or failed.' });

/** The common error format, with the codes of one answer. */
function errorSchema(codes: readonly string[]): z.ZodType {
  return anyErrorSchema.and(z.looseObject({ error: z.looseObject({ code: z.enum(codes) }) }));
}

function eitherOf(own: Answer, refusal: DescribedAnswer): DescribedAnswer {
  return {
    ...refusal,
    ...own,
    description: `${own.description} Or: ${refusal.description}`,
    schema: z.union([own.schema, refusal.schema]),
  };
}

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
