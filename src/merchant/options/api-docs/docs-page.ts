// The data of the page /docs, derived only from the OpenAPI document and the error definitions: groups of operations,
// the objects in their answers, and the errors.

import type { ErrorDefinition } from '../../platform/errors';
import type { ExampleRequest } from '../../platform/http/route-description';
import type { Media, OpenapiDocument, OpenapiResponse, Operation, Parameter } from './openapi-document';
import { factsOf, shapeOf, typeOf, type Field, type Limits, type Shape } from './schema-fields';

type DocsPage = {
  version: string;
  groups: DocsGroup[];
  objects: { name: string; description: string | null; shape: Shape }[];
  errors: readonly ErrorDefinition[];
};

/** `anchor` is also the last part of its page's path. */
export type DocsGroup = { name: string; anchor: string; description: string; operations: DocsOperation[] };

type DocsOperation = {
  anchor: string;
  /** In upper case. */
  method: string;
  path: string;
  summary: string;
  description: string | null;
  /** The scope that its key needs; null if it needs no key. */
  scope: string | null;
  parameters: (Field & { place: string })[];
  /** Null if the operation has no body. */
  body: { contentTypes: string[]; shape: Shape; example: string | null } | null;
  answers: { status: string; description: string; shape: Shape; example: string | null }[];
  errors: { code: string; status: string; message: string }[];
  request: ExampleRequest;
};

export function docsPage(
  { info, tags, paths, components }: OpenapiDocument,
  errors: readonly ErrorDefinition[],
): DocsPage {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return {
    version: info.version,
    groups: tags.map(({ name, description }) => ({
      name,
      anchor: name.replaceAll(' ', '-'),
      description,
      operations: operations
        .filter(({ operation }) => operation.tags.some((tag) => tag === name))
        .map(({ path, method, operation }) => docsOperation(path, method.toUpperCase(), operation)),
    })),
    objects: Object.entries(components.schemas)
      .map(([name, schema]) => ({
        name,
        description: factsOf(schema).description,
        shape: shapeOf(schema),
      }))
      .sort((one, other) => (one.name < other.name ? -1 : 1)),
    errors,
  };
}

/** Splits a sentence of the document: text between backticks is code. */
export function textParts(text: string): { text: string; isCode: boolean }[] {
  return text
    .split('`')
    .map((part, index) => ({ text: part, isCode: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}

/** Such as "1–40", "≥ 1" or "≤ 40". */
export function rangeText({ least, most }: Limits): string {
  if (least === null) return `≤ ${most}`;
  if (most === null) return `≥ ${least}`;
  return least === most ? String(least) : `${least}–${most}`;
}

function docsOperation(path: string, method: string, operation: Operation): DocsOperation {
  const {
    operationId,
    summary,
    description = null,
    security,
    parameters,
    requestBody,
    responses,
  } = operation;
  const scope = security[0]?.apiKey[0] ?? null;
  const [contentTypes, body] = mediaOf(requestBody?.content ?? {});
  const all = Object.entries(responses).map(([status, response]) => ({ status, ...splitResponse(response) }));
  return {
    anchor: operationId,
    method,
    path,
    summary,
    description,
    scope,
    parameters: parameters.map(docsParameter),
    body: body ? { contentTypes, shape: shapeOf(body.schema), example: jsonText(body.example, 2) } : null,
    answers: all.flatMap(({ status, own }) => (own ? [{ status, ...own }] : [])),
    errors: all.flatMap(({ status, errors }) => errors.map((error) => ({ status, ...error }))),
    request: {
      method,
      path: examplePath(path, parameters),
      needsKey: scope !== null,
      body: body ? (jsonText(body.example) ?? '{}') : null,
    },
  };
}

function docsParameter({ name, in: place, required, description, schema }: Parameter) {
  return {
    name,
    place,
    ...typeOf(schema),
    ...factsOf(schema),
    description: description ?? null,
    isRequired: required,
    isRefused: false,
  };
}

/** The route's own answer, and the codes of its errors with the same status. */
function splitResponse({ description, content }: OpenapiResponse) {
  const [, media] = mediaOf(content);
  const { answer, ...errors } = media?.examples ?? {};
  const codes = Object.entries(errors).map(([code, { value }]) => ({ code, message: messageOf(value) }));
  const example = media?.example ?? answer?.value;
  const isError = codes.length > 0 && example === undefined;
  const own = { description, shape: shapeOf(media?.schema ?? {}), example: jsonText(example, 2) };
  return { own: isError ? null : own, errors: codes };
}

function messageOf(value: unknown): string {
  return (value as { error: { message: string } }).error.message;
}

/** All content types have the same schema. */
function mediaOf(content: Record<string, Media>): [types: string[], media: Media | undefined] {
  return [Object.keys(content), Object.values(content)[0]];
}

function jsonText(value: unknown, indent?: number): string | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value, null, indent);
}

function examplePath(path: string, parameters: readonly Parameter[]): string {
  const examples = new Map(parameters.map(({ name, example }) => [name, example]));
  const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => String(examples.get(name)));
  const query = new URLSearchParams();
  for (const { in: place, name, required, example } of parameters)
    if (place === 'query' && required) query.append(name, String(example));
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}
