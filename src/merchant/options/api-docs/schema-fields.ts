// Converts a JSON Schema to tables of fields for readers: nested objects become dotted names, and each alternative of a
// body has its own table. Components are referenced, not repeated.

import type { JsonSchema } from './openapi-document';

/** Limits of a number, or of the length of a text or list. */
export type Limits = { of: 'value' | 'length' | 'items'; least: number | null; most: number | null };

/** The type in TypeScript notation, and the referenced component (such as `Order`), or null. */
type SchemaType = { type: string; component: string | null; limits: Limits | null };

export type Field = SchemaType & {
  /** Dotted: `buyer.name`, and `schedules[].amount` within a list. */
  name: string;
  isRequired: boolean;
  /** As JSON; null if there is none. */
  defaultValue: string | null;
  description: string | null;
  /** Known and refused, with the reason in `description`. */
  isRefused: boolean;
};

/** One alternative of a body. Most bodies have one, without a title. */
type Form = { title: string | null; fields: Field[] };

/** `forms` has one table per alternative; empty if there is only a type. */
export type Shape = SchemaType & { forms: Form[] };

export function shapeOf(schema: JsonSchema): Shape {
  const alternatives = schemas(schema['anyOf']);
  const forms = (alternatives.length > 0 ? alternatives : [schema]).map((form) => ({
    title: textIn(form, 'title'),
    fields: fieldsOf(form, ''),
  }));
  return { ...typeOf(schema), forms: forms.filter(({ fields }) => fields.length > 0) };
}

export function typeOf(schema: JsonSchema): SchemaType {
  return { type: typeText(schema), component: componentOf(schema), limits: limitsOf(schema) };
}

/** Facts about a value besides its type. */
export function factsOf(schema: JsonSchema): Pick<Field, 'defaultValue' | 'description'> {
  const { default: given } = schema;
  return {
    defaultValue: given === undefined ? null : JSON.stringify(given),
    description: textIn(schema, 'description'),
  };
}

function textIn(schema: JsonSchema, name: 'title' | 'description'): string | null {
  const text = schema[name];
  return typeof text === 'string' ? text : null;
}

function fieldsOf(schema: JsonSchema, prefix: string): Field[] {
  const { items } = schema;
  if (isSchema(items)) return fieldsOf(items, `${prefix}[]`);
  const { properties } = schema;
  if (!isSchema(properties)) return [];
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties as Record<string, JsonSchema>).flatMap(([key, property]) => {
    const isRefused = isSchema(property['not']);
    // It only distinguishes alternatives.
    if (isRefused && property['description'] === undefined) return [];
    const name = prefix === '' ? key : `${prefix}.${key}`;
    const field = {
      name,
      ...typeOf(property),
      ...factsOf(property),
      isRequired: required.includes(key),
      isRefused,
    };
    return [field, ...withoutNull(property).flatMap((inner) => fieldsOf(inner, name))];
  });
}

function typeText(schema: JsonSchema): string {
  const { $ref, type, format, const: only, items, enum: values } = schema;
  const alternatives = schemas(schema['anyOf']);
  if (typeof $ref === 'string') return nameIn($ref);
  if (Array.isArray(schema['allOf'])) return typeText(schemas(schema['allOf'])[0] ?? {});
  if (alternatives.length > 0) return unique(alternatives.map(typeText)).join(' | ');
  if (isSchema(schema['not'])) return 'never';
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (type === 'array') return listText(isSchema(items) ? typeText(items) : 'any');
  if (format === 'date-time') return 'ISO 8601';
  if (Array.isArray(type)) return type.join(' | ');
  return typeof type === 'string' ? type : 'any';
}

function listText(item: string): string {
  return item.includes(' ') ? `(${item})[]` : `${item}[]`;
}

function componentOf(schema: JsonSchema): string | null {
  if (typeof schema['$ref'] === 'string') return nameIn(schema['$ref']);
  if (isSchema(schema['items'])) return componentOf(schema['items']);
  const inner = [...schemas(schema['anyOf']), ...schemas(schema['allOf'])];
  return inner.map(componentOf).find((component) => component !== null) ?? null;
}

function limitsOf(schema: JsonSchema): Limits | null {
  const value = bounds(schema, 'minimum', 'maximum');
  const above = schema['exclusiveMinimum'];
  const least = typeof above === 'number' ? above + 1 : value.least;
  return (
    limits('value', { ...value, least }) ??
    limits('length', bounds(schema, 'minLength', 'maxLength')) ??
    limits('items', bounds(schema, 'minItems', 'maxItems'))
  );
}

type Bounds = Pick<Limits, 'least' | 'most'>;

function bounds(schema: JsonSchema, least: string, most: string): Bounds {
  const numberIn = (name: string) => (typeof schema[name] === 'number' ? schema[name] : null);
  return { least: numberIn(least), most: numberIn(most) };
}

function limits(of: Limits['of'], { least, most }: Bounds): Limits | null {
  return least === null && most === null ? null : { of, least, most };
}

/** The schema itself, or its alternatives other than null. */
function withoutNull(schema: JsonSchema): JsonSchema[] {
  const alternatives = schemas(schema['anyOf']);
  return alternatives.length === 0 ? [schema] : alternatives.filter(({ type }) => type !== 'null');
}

const nameIn = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1);
const unique = (texts: string[]) => [...new Set(texts)];

function schemas(list: unknown): JsonSchema[] {
  return Array.isArray(list) ? list.filter(isSchema) : [];
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
