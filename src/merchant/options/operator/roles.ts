// The roles of operators. Each may also do what those before it may.

export const ROLES = ['view', 'decide', 'refund', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export function may(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
