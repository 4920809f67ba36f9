// The descriptions as an OpenAPI 3.1 document. Its schemas are JSON Schema 2020-12, which zod makes from the very
// schemas that the routes parse with.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ErrorDefinition } from '../../platform/errors';
import type { ApiDescription, TaggedRoute } from '../../platform/http/feature-type';
import { REQUEST_ID_HEADER } from '../../platform/http/request-log';
import { allAnswers, type RouteDescription } from '../../platform/http/route-description';

export type JsonSchema = Record<string, unknown>;
export type OpenapiDocument = ReturnType<typeof openapiDocument>;
export type Operation = ReturnType<typeof describe>;
export type Parameter = {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description?: string;
  example?: unknown;
  schema: JsonSchema;
};
/** `examples`, by name, where there are several: one for each code of an error. */
export type Media = {
  schema: JsonSchema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
};
export type OpenapiResponse = { description: string; headers: object; content: Record<string, Media> };

const DESCRIPTION = `Routes under \`/api\` take the key of the merchant's own systems. Lists of our own rows page by \`after\` and \
\`limit\` and answer \`next\`; times are ISO 8601. Routes that pass a query on to the payment service say so: they keep its \
page numbers and UNIX seconds. Amounts are integers in the unit of §2.4, with \`currency\` beside them. Error codes: \
docs/10-reference.md. § numbers are headings of docs/12-payment-service.md.`;

/** @param origin under which the server is reached, where it is known */
export function openapiDocument(api: ApiDescription, origin: string | null) {
  const schemas: Record<string, JsonSchema> = {};
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of api.routes) {
    const operation = describe(api, route, (schema, io) => toJsonSchema(schema, io, schemas));
    paths[route.path] = { ...paths[route.path], [route.method]: operation };
  }
  const { version, license } = packageFacts();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Merchant of the payment service',
      version,
      description: DESCRIPTION,
      license: { name: license, identifier: license },
    },
    servers: [{ url: origin ?? '/' }],
    tags: api.tags,
    paths,
    components: {
      schemas,
      headers: {
        RequestId: {
          description: 'The id of this request, made by this server. Its log line has the same as `req.id`.',
          schema: { type: 'string', format: 'uuid' },
        },
      },
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'The setting API_KEY: `Authorization: Bearer <API_KEY>`.',
        },
      },
    },
  };
}

function packageFacts() {
  const text = readFileSync(join(__dirname, '..', '..', '..', '..', 'package.json'), 'utf8');
  return z.object({ version: z.string(), license: z.string() }).parse(JSON.parse(text));
}

type ToSchema = (schema: z.ZodType, io: 'input' | 'output') => JsonSchema;

function describe(api: ApiDescription, route: TaggedRoute, toSchema: ToSchema) {
  const { tag, path, summary, description, access, query, body } = route;
  const answers = [...allAnswers(route)].sort(([one], [other]) => one - other);
  return {
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    operationId: `${route.method} ${path}`.replace(/\W+/g, '_').replace(/_$/, ''),
    security: access === 'key' ? [{ apiKey: [] }] : [],
    parameters: [...pathParameters(api, path), ...queryParameters(query, toSchema)],
    ...(body && { requestBody: { required: true, content: contentOf(body, toSchema) } }),
    responses: Object.fromEntries(answers.map(([status, answer]) => [status, response(answer, toSchema)])),
  };
}

function pathParameters(api: ApiDescription, path: string): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...api.pathParameters[name],
    schema: { type: 'string' },
  }));
}

/** The type of a parameter is what it is after it was read: digits become an integer. */
function queryParameters(query: z.ZodObject | undefined, toSchema: ToSchema): Parameter[] {
  return Object.entries(query?.shape ?? {}).map(([name, field]) => {
    const { description, examples, ...schema } = toSchema(field as z.ZodType, 'output');
    return {
      name,
      in: 'query',
      required: !(field as z.ZodType).safeParse(undefined).success,
      ...(typeof description === 'string' && { description }),
      ...(Array.isArray(examples) && { example: examples[0] as unknown }),
      schema,
    };
  });
}

function contentOf(
  { schema, contentTypes, example }: NonNullable<RouteDescription['body']>,
  toSchema: ToSchema,
) {
  const media: Media = { schema: toSchema(schema, 'input'), ...(example !== undefined && { example }) };
  return Object.fromEntries(contentTypes.map((type) => [type, media]));
}

type DescribedAnswer = ReturnType<typeof allAnswers> extends Map<number, infer Answer> ? Answer : never;

function response(answer: DescribedAnswer, toSchema: ToSchema): OpenapiResponse {
  const { description, schema, contentType = 'application/json', example, errors = [] } = answer;
  const media = {
    schema: toSchema(schema, 'output'),
    ...(errors.length > 0
      ? { examples: errorExamples(errors, example) }
      : example !== undefined && { example }),
  };
  return {
    description,
    headers: {
      [REQUEST_ID_HEADER]: { $ref: '#/components/headers/RequestId' },
      ...(errors.some(({ retryAfterSeconds }) => retryAfterSeconds !== undefined) && RETRY_AFTER),
    },
    content: { [contentType]: media },
  };
}

const RETRY_AFTER = {
  'Retry-After': { description: 'After how many seconds to try again.', schema: { type: 'integer' } },
};

/** Each code with the message that is sent unless the answer has a better one. */
function errorExamples(
  errors: readonly ErrorDefinition[],
  answer: unknown,
): Record<string, { value: unknown }> {
  const examples: Record<string, { value: unknown }> = {};
  if (answer !== undefined) examples['answer'] = { value: answer };
  for (const { code, message } of errors) examples[code] = { value: { error: { code, message } } };
  return examples;
}

/** What zod adds and says nothing to a reader: the pattern of a format, and the range of whole numbers in JavaScript. */
function leaveOut(schema: JsonSchema): void {
  if (schema['format'] === 'date-time') delete schema['pattern'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
}

/** Schemas with an id become components; references to `#/$defs/` are rewritten accordingly. */
function toJsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  components: Record<string, JsonSchema>,
): JsonSchema {
  const made = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => leaveOut(jsonSchema) });
  delete made.$schema;
  const moved = JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $defs, ...rest } = JSON.parse(moved) as JsonSchema & { $defs?: Record<string, JsonSchema> };
  Object.assign(components, $defs);
  return rest;
}
