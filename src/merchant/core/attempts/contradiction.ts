// What the payment service shows against the decision of a person. `locales/contradictions-*` have a sentence for each kind.

/** What each kind goes by. Amounts are in the units of their currency. */
export type ContradictionFacts = {
  payment_missing: { svcUid: string };
  payment_status_unknown: { svcUid: string };
  payment_holds: { svcUid: string; status: string; held: number; currency: string | null };
  payment_for_another: { svcUid: string; status: string; held: number; currency: string | null };
  nothing_held: object;
  schedule_waits: { merchantUid: string };
  cancelled_amount: { svcUid: string; cancelled: bigint; cancelledBefore: bigint; amount: bigint };
  key_missing: { customerUid: string };
  key_there: { customerUid: string; card: string | null };
  key_of_before: { customerUid: string; card: string | null };
};

/** What speaks against a decision. */
export type Contradiction = {
  [Kind in keyof ContradictionFacts]: { kind: Kind } & ContradictionFacts[Kind];
}[keyof ContradictionFacts];
