// The roles of operators, and who sends a request.

/** Each may also do what those before it may. */
export const ROLES = ['view', 'decide', 'refund', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export function may(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

export type SignedIn = {
  /** The name recorded with decisions. */
  by: string;
  role: Role;
  /** Null: signed in with OPERATOR_PASSWORD, so anybody may have typed the name. */
  accountId: bigint | null;
  hasSecondFactor: boolean;
  /** The password was generated; false if a proxy has named the operator. */
  mustChangePassword: boolean;
  /** Hash of the session's token; null: a proxy has named the operator. */
  session: string | null;
};
