// Captures the statements that the merchant sends to PostgreSQL, unchanged, at the `query` call of `pg`.

import { Client } from 'pg';

export type CapturedStatement = {
  text: string;
  values: unknown[];
  /** Session settings, as requested when the connection was opened. */
  options: string;
  /** Settings made earlier in its transaction. */
  prelude: { text: string; values: unknown[] }[];
  /** The name of a prepared statement, for which PostgreSQL may use a generic plan; null for others. */
  name: string | null;
};

type Query = { text: string; values?: unknown[]; name?: string };
type Watched = Client & { connectionParameters: { application_name?: string; options?: string } };

/** The pools of the stores (database.ts); the job engine has its own. */
const APPLICATION = 'merchant';

/** Returns each text once, with its first values. */
export async function captureStatements(act: () => Promise<unknown>): Promise<CapturedStatement[]> {
  const found = new Map<string, CapturedStatement>();
  const preludes = new WeakMap<Client, CapturedStatement['prelude']>();
  const note = (client: Watched, query: Query | string, separateValues: unknown) => {
    const { application_name: application, options = '' } = client.connectionParameters;
    if (application !== APPLICATION) return;
    const {
      text,
      name,
      values: own,
    } = typeof query === 'string' ? { text: query, name: undefined, values: undefined } : query;
    const values = own ?? (Array.isArray(separateValues) ? (separateValues as unknown[]) : []);
    if (/^\s*(?:begin|start|commit|rollback)\b/i.test(text)) return void preludes.delete(client);
    const prelude = preludes.get(client) ?? [];
    if (/\bset_config\s*\(/i.test(text)) return void preludes.set(client, [...prelude, { text, values }]);
    const key = [options, text, ...prelude.map((set) => set.text)].join('\n');
    if (!found.has(key)) found.set(key, { text, values, options, prelude, name: name ?? null });
  };
  const original = Object.getOwnPropertyDescriptor(Client.prototype, 'query') as PropertyDescriptor;
  const query = original.value as (...args: unknown[]) => unknown;
  Object.defineProperty(Client.prototype, 'query', {
    ...original,
    value(this: Watched, ...args: unknown[]) {
      note(this, args[0] as Query | string, args[1]);
      return query.apply(this, args);
    },
  });
  try {
    await act();
  } finally {
    Object.defineProperty(Client.prototype, 'query', original);
  }
  return [...found.values()];
}
