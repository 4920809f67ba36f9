// The only file that knows SERVICE_NAME_PREFIX: with `abc`, the wire carries abc_key, abc_secret and abc_uid where the
// document, and everything behind this file, says svc_key, svc_secret and svc_uid.

const PREFIXED = ['key', 'secret', 'uid'];
const MAX_DEPTH = 32;

export type WireNames = {
  /** Name of a query parameter, such as "svc_uid[]". */
  nameToWire(name: string): string;
  toWire(body: unknown): unknown;
  /** What stands under the document's own name on a wire with another prefix is no field of the service: it is left out. */
  fromWire(body: unknown): unknown;
};

export function createWireNames(prefix: string): WireNames {
  if (prefix === 'svc') return { nameToWire: same, toWire: same, fromWire: same };
  const outward = new Map(PREFIXED.map((word) => [`svc_${word}`, `${prefix}_${word}`]));
  const inward = new Map<string, string | null>([
    ...PREFIXED.map((word) => [`svc_${word}`, null] as const),
    ...PREFIXED.map((word) => [`${prefix}_${word}`, `svc_${word}`] as const),
  ]);
  return {
    nameToWire: (name) => {
      const plain = name.replace(/\[\]$/, '');
      return (outward.get(plain) ?? plain) + name.slice(plain.length);
    },
    toWire: (body) => rename(body, outward, 0),
    fromWire: (body) => rename(body, inward, 0),
  };
}

function same<T>(value: T): T {
  return value;
}

function rename(value: unknown, names: Map<string, string | null>, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  // Deeper than any record; a recursion without end would be a crash instead of a bad answer.
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => rename(item, names, depth + 1));
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const renamed = names.has(name) ? names.get(name) : name;
    return renamed == null ? [] : [[renamed, rename(inner, names, depth + 1)] as const];
  });
  return Object.fromEntries(entries);
}
