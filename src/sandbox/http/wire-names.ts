// The outermost layer and the only place that knows SERVICE_NAME_PREFIX. The live service puts its own prefix on
// three names, and begins its payment ids with it; inside, and at /_sandbox, the names are always the document's
// svc_key, svc_secret and svc_uid.
const PREFIXED = ['svc_key', 'svc_secret', 'svc_uid'] as const;

export type WireNames = {
  /** The payment id with these digits, as the live service would write it. */
  paymentId: (digits: number) => string;
  /** A request's top-level fields under the document's names. */
  read(fields: Record<string, unknown>): Record<string, unknown>;
  /** A notification's fields under the live names. */
  rename(fields: Record<string, string>): Record<string, string>;
  /** An answer as JSON text under the live names, error texts included. */
  write(body: unknown): string;
};

export function createWireNames(prefix: string): WireNames {
  const live = (name: string) => name.replace(/^svc_/, `${prefix}_`);
  const toDocument = new Map<string, string>(PREFIXED.map((name) => [live(name), name]));
  const toLive = new Map<string, string>(PREFIXED.map((name) => [name, live(name)]));
  const hidden = new Set<string>(PREFIXED.filter((name) => !toDocument.has(name)));
  return {
    paymentId: (digits) => `${prefix}_${digits}`,
    read: (fields) =>
      Object.fromEntries(
        Object.entries(fields)
          .filter(([name]) => !hidden.has(name))
          .map(([name, value]) => [toDocument.get(name) ?? name, value]),
      ),
    rename: (fields) =>
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [toLive.get(name) ?? name, value])),
    write: (body) => {
      const text = JSON.stringify(body);
      if (prefix === 'svc') return text;
      // A quoted name before a colon can only be a key: quotes inside a JSON string are escaped.
      const keys = text.replace(/"svc_(key|secret|uid)":/g, `"${prefix}_$1":`);
      const isRefusal = text.startsWith('{"code":') && !text.startsWith('{"code":0,');
      return isRefusal ? keys.replace(/\bsvc_(key|secret|uid)\b/g, `${prefix}_$1`) : keys;
    },
  };
}
