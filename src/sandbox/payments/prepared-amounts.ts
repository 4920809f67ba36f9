// The amounts that a merchant has registered for its orders before they are paid (§4.9). A payment of another amount
// is refused by the service itself. Every change is passed to the journal.

export type PreparedAmount = {
  merchantUid: string;
  amount: number;
  /** Null if registered without one; then the currency of a payment is not compared. */
  currency: string | null;
};

export type PreparedAmounts = {
  find(merchantUid: string): PreparedAmount | undefined;
  save(prepared: PreparedAmount): void;
  /** Returns why a payment of this amount is refused, null if it is accepted. */
  findRefusal(order: { merchantUid: string; amount: number; currency: string }): string | null;
  restore(prepared: PreparedAmount): void;
  clear(): void;
};

export function createPreparedAmounts(onChange: (prepared: PreparedAmount) => void): PreparedAmounts {
  const amounts = new Map<string, PreparedAmount>();
  const restore = (prepared: PreparedAmount) => void amounts.set(prepared.merchantUid, prepared);
  return {
    restore,
    find: (merchantUid) => amounts.get(merchantUid),
    save(prepared) {
      onChange(prepared);
      restore(prepared);
    },
    findRefusal({ merchantUid, amount, currency }) {
      const prepared = amounts.get(merchantUid);
      const isOther =
        prepared && (prepared.amount !== amount || (prepared.currency ?? currency) !== currency);
      return isOther ? 'amount: another amount is registered for this order' : null;
    },
    clear: () => amounts.clear(),
  };
}
