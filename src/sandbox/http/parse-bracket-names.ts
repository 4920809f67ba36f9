// Parses query strings and form bodies: `customer_uid[]=a`, `customer_uid[0]=a` and a repeated `customer_uid=a` are
// arrays, `schedules[0][amount]=1` is an object in an array. We do not use the common parser (qs) because it turns
// arrays of more than twenty entries into objects, and the service takes a hundred ids (§4.9).

type Fields = { [name: string]: FieldValue };
type FieldValue = string | Fields | FieldValue[];

const MAX_DEPTH = 4;

/** Returns nested fields. Names that could reach an object's prototype are dropped. */
export function parseBracketNames(text: string): Fields {
  const fields: Fields = Object.create(null) as Fields;
  for (const [name, value] of new URLSearchParams(text)) {
    // Some clients join fields with "& ", so leading blanks are removed.
    const path = name
      .trimStart()
      .split(/\]?\[/)
      .map((part) => part.replace(/\]$/, ''));
    if (path.length > MAX_DEPTH || path.some((part) => part === '__proto__')) continue;
    put(fields, path, value);
  }
  return withArrays(fields) as Fields;
}

function put(fields: Fields, [name = '', ...rest]: string[], value: string) {
  const key = name === '' ? String(Object.keys(fields).length) : name;
  const present = fields[key];
  if (rest.length === 0) {
    fields[key] = present === undefined ? value : [present, value].flat();
    return;
  }
  const inner = isFields(present) ? present : (Object.create(null) as Fields);
  fields[key] = inner;
  put(inner, rest, value);
}

/** Turns each object whose names are all numbers into an array. */
function withArrays(value: FieldValue): FieldValue {
  if (!isFields(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, withArrays(inner)] as const);
  const isArray = entries.length > 0 && entries.every(([name]) => /^\d+$/.test(name));
  if (isArray) return entries.map(([, inner]) => inner);
  const fields = Object.create(null) as Fields;
  for (const [name, inner] of entries) fields[name] = inner;
  return fields;
}

function isFields(value: FieldValue | undefined): value is Fields {
  return typeof value === 'object' && !Array.isArray(value);
}
