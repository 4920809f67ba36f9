// What a notification, a list of the service or a person says to be so: which payment, for which order. The ids are
// looked up; nothing else of a claim is believed.

/** `address`: of the browser, from `http/source-address.ts`; null where it cannot be known: those count together. */
export type Visitor = { address: string | null };

export type Claim = {
  /** svc_uid, or tx_id of the newer generation. */
  svcUid: string;
  /** merchant_uid, or payment_id of the newer generation. */
  merchantUid: string;
  /** The interface generation that is asked (§9); legacy where absent. */
  generation?: 'legacy' | 'newer' | undefined;
  /** Of a notification, whose sender can invent ids: what we do not know is then fetched at a set rate. */
  isNotified?: boolean | undefined;
  /**
   * Of a visitor of the return page, who can invent ids as well. The payment is fetched at a set rate and over a line of its
   * own, and a claim that the service contradicts is noted nowhere.
   */
  visitor?: Visitor | undefined;
};
