// The descriptions as an OpenAPI 3.1 document. Its schemas are JSON Schema 2020-12, which zod makes from the very
// schemas that the routes parse with.

import { z } from 'zod';
import { allAnswers, type RouteDescription } from './route-description';

type JsonSchema = Record<string, unknown>;
export type OpenapiDocument = ReturnType<typeof openapiDocument>;

/** @param origin under which the server is reached, where it is known */
export function openapiDocument(routes: readonly RouteDescription[], origin: string | null) {
  const components: Record<string, unknown> = {};
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const operation = describe(route, (schema, io) => toJsonSchema(schema, io, components));
    paths[route.path] = { ...paths[route.path], [route.method]: operation };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Merchant of the payment service',
      version: '1',
      description: 'Error codes: docs/api-errors.md. § numbers are headings of docs/payment-service.md.',
    },
    servers: [{ url: origin ?? '/' }],
    paths,
    components: {
      schemas: components,
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'API_KEY' } },
    },
  };
}

type ToSchema = (schema: z.ZodType, io: 'input' | 'output') => JsonSchema;

function describe(route: RouteDescription, toSchema: ToSchema) {
  const { path, summary, access, query, body } = route;
  const answers = [...allAnswers(route)].sort(([one], [other]) => one - other);
  return {
    summary,
    operationId: `${route.method} ${path}`.replace(/\W+/g, '_').replace(/_$/, ''),
    security: access === 'key' ? [{ apiKey: [] }] : [],
    parameters: [...pathParameters(path), ...queryParameters(query, toSchema)],
    ...(body && { requestBody: { required: true, content: contentOf(body, toSchema) } }),
    responses: Object.fromEntries(
      answers.map(([status, { description, schema, contentType = 'application/json' }]) => [
        status,
        { description, content: { [contentType]: { schema: toSchema(schema, 'output') } } },
      ]),
    ),
  };
}

function pathParameters(path: string) {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

/** The type of a parameter is what it is after it was read: digits become an integer. */
function queryParameters(query: z.ZodObject | undefined, toSchema: ToSchema) {
  return Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !(schema as z.ZodType).safeParse(undefined).success,
    schema: toSchema(schema as z.ZodType, 'output'),
  }));
}

function contentOf({ schema, contentTypes }: NonNullable<RouteDescription['body']>, toSchema: ToSchema) {
  return Object.fromEntries(contentTypes.map((type) => [type, { schema: toSchema(schema, 'input') }]));
}

/** Schemas with an id become components; references to `#/$defs/` are rewritten accordingly. */
function toJsonSchema(schema: z.ZodType, io: 'input' | 'output', components: JsonSchema): JsonSchema {
  const made = z.toJSONSchema(schema, { io });
  delete made.$schema;
  const moved = JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $defs, ...rest } = JSON.parse(moved) as JsonSchema;
  Object.assign(components, $defs);
  return rest;
}
