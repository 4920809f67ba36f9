// The only place that applies SERVICE_NAME_PREFIX. The live service puts its own prefix on a few names and on its
// payment ids; everywhere else, and at /_sandbox, the names are those of the document: svc_key, svc_secret and svc_uid,
// and svc_success, with which the payment window sends the browser back.

const DOCUMENT_NAMES = ['svc_key', 'svc_secret', 'svc_uid', 'svc_success'];

/** The payment id with these digits, as the live service would write it. */
export const paymentId = (prefix: string, digits: number) => `${prefix}_${digits}`;

/**
 * Returns a request's top-level fields under the document's names. With another prefix, those names are unknown
 * fields.
 */
export function readWireNames(prefix: string, fields: Record<string, unknown>): Record<string, unknown> {
  const known = Object.entries(fields).flatMap(([name, value]) => {
    const documentName = DOCUMENT_NAMES.find((each) => wireName(prefix, each) === name);
    if (documentName === undefined && DOCUMENT_NAMES.includes(name)) return [];
    return [[documentName ?? name, value] as const];
  });
  // No assignment by name: a field named __proto__ must not become the prototype.
  return Object.fromEntries(known);
}

/** Returns a notification's fields under the live names. */
export function toWireNames(prefix: string, fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      DOCUMENT_NAMES.includes(name) ? wireName(prefix, name) : name,
      value,
    ]),
  );
}

/** Returns an answer as JSON text under the live names, error texts included. */
export function toWireJson(prefix: string, body: unknown): string {
  const text = JSON.stringify(body);
  if (prefix === 'svc') return text;
  // A quoted name before a colon can only be a key, because quotes inside a JSON string are escaped.
  const keys = text.replace(/"svc_(key|secret|uid)":/g, `"${prefix}_$1":`);
  const isError = text.startsWith('{"code":') && !text.startsWith('{"code":0,');
  return isError ? keys.replace(/\bsvc_(key|secret|uid)\b/g, `${prefix}_$1`) : keys;
}

function wireName(prefix: string, documentName: string): string {
  return documentName.replace(/^svc_/, `${prefix}_`);
}
