// What a caller of the JSON API may do. Each route declares one scope (`http/api-route.ts`); a key has several.

export const SCOPES = ['read', 'orders', 'charge', 'refund', 'members', 'keys'] as const;
export type Scope = (typeof SCOPES)[number];

/** Who calls the JSON API. The name is for the log. */
export type Caller = { name: string; scopes: readonly Scope[] };
