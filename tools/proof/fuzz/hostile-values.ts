// Values and bytes that no honest client sends. The same seed gives the same values.

export type Random = {
  /** A whole number from 0 up to `below`. */
  int(below: number): number;
  chance(part: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
};

/** Mulberry32: small, and good enough for choices. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number) => Math.floor(next() * below);
  return {
    int,
    chance: (part) => next() < part,
    pick: <Item>(items: readonly Item[]) => items[int(items.length)] as Item,
  };
}

const TEXTS = [
  '',
  ' ',
  '.',
  '..',
  '\u0000',
  '\ud800',
  '\u202e\u200b\ufeff',
  '%',
  '%00',
  '%E0%A4%A',
  '../../etc/passwd',
  '//evil.example/x',
  'http://169.254.169.254/',
  "' or 1=1 --",
  '<script>alert(1)</script>',
  '<%= 7*7 %>${7*7}{{7*7}}',
  '\r\nSet-Cookie: a=b\r\n\r\n',
  '__proto__',
  'constructor',
  'toString',
  'NaN',
  'Infinity',
  '-0',
  '1e999',
  '0x10',
  '９９',
  '2026-02-30',
  '9999-99-99T99:99:99Z',
  '+275760-09-13T00:00:00.001Z',
  '-000001-01-01T00:00:00Z',
  '99999999999999999999',
  'null',
  'undefined',
  'true',
  '[object Object]',
  '한글'.repeat(40),
  '😀'.repeat(70),
  'a'.repeat(65),
  'a'.repeat(256),
  'a'.repeat(5_000),
  '9'.repeat(400),
];
const OTHERS: unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  0.1,
  1e308,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  [],
  {},
  [[]],
  [null],
  { length: 1e9 },
  { toString: 'x', valueOf: null },
  { constructor: { prototype: { admin: true } } },
];

export const hostileText = (random: Random): string => random.pick(TEXTS);

/** Any JSON value. */
export function hostileValue(random: Random): unknown {
  if (random.chance(0.6)) return hostileText(random);
  if (random.chance(0.05)) return nested(random.pick([50, 500, 3_000]));
  if (random.chance(0.05)) return Array.from({ length: random.pick([101, 2_000]) }, () => 'a');
  return random.pick(OTHERS);
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

type Schema = Record<string, any>;

/** A value for a JSON schema, mostly valid, with some hostile parts. */
export function valueOf(random: Random, schema: Schema, schemas: Record<string, Schema>, depth = 0): unknown {
  if (depth > 6 || random.chance(0.12)) return hostileValue(random);
  const ref = typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined;
  if (ref !== undefined) return valueOf(random, schemas[ref] ?? {}, schemas, depth + 1);
  const branches = (schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']) as Schema[] | undefined;
  if (branches) return valueOf(random, random.pick(branches), schemas, depth + 1);
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return random.pick(schema['enum'] as unknown[]);
  switch (schema['type']) {
    case 'object': {
      const fields = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
      const kept = fields.filter(([name]) => random.chance(schema['required']?.includes(name) ? 0.93 : 0.4));
      return Object.fromEntries(
        kept.map(([name, field]) => [name, valueOf(random, field, schemas, depth + 1)]),
      );
    }
    case 'array':
      return Array.from({ length: random.int(4) }, () =>
        valueOf(random, schema['items'] ?? {}, schemas, depth + 1),
      );
    case 'integer':
    case 'number':
      return random.pick([
        0,
        1,
        100,
        1000,
        1_900_000_000,
        schema['maximum'] ?? 1,
        (schema['minimum'] ?? 0) - 1,
      ]);
    case 'boolean':
      return random.chance(0.5);
    default:
      return random.pick([
        'fz-1',
        'fz-2',
        'KRW',
        '2037-12',
        '790523',
        '5409-1357-2468-901X',
        hostileText(random),
      ]);
  }
}
