// The only file that knows SERVICE_NAME_PREFIX: with `abc`, the service has abc_key, abc_secret and abc_uid where the
// document, and all other code of the merchant, has svc_key, svc_secret and svc_uid.

const PREFIXED = ['key', 'secret', 'uid'];
const MAX_DEPTH = 32;

/** Names to replace, in each direction. A name mapped to null is left out. Empty if the prefix is `svc`. */
export type WireNames = {
  outward: ReadonlyMap<string, string>;
  inward: ReadonlyMap<string, string | null>;
};

export function wireNames(prefix: string): WireNames {
  if (prefix === 'svc') return { outward: new Map(), inward: new Map() };
  return {
    outward: new Map(PREFIXED.map((word) => [`svc_${word}`, `${prefix}_${word}`])),
    // With another prefix, the document's own name is not a field of the service.
    inward: new Map<string, string | null>([
      ...PREFIXED.map((word) => [`svc_${word}`, null] as const),
      ...PREFIXED.map((word) => [`${prefix}_${word}`, `svc_${word}`] as const),
    ]),
  };
}

export function toWire({ outward }: WireNames, body: unknown): unknown {
  return outward.size === 0 ? body : rename(body, outward, 0);
}

export function fromWire({ inward }: WireNames, body: unknown): unknown {
  return inward.size === 0 ? body : rename(body, inward, 0);
}

function rename(value: unknown, names: ReadonlyMap<string, string | null>, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  // Deeper than any record: endless recursion would be a crash instead of an invalid response.
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => rename(item, names, depth + 1));
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    const renamed = names.has(name) ? names.get(name) : name;
    return renamed == null ? [] : [[renamed, rename(inner, names, depth + 1)] as const];
  });
  return Object.fromEntries(entries);
}
