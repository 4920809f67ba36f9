// What a notification, a list of the service or a person says to be so: which payment, for which order. The ids are
// looked up; nothing else of a claim is believed.

export type Claim = {
  /** svc_uid, or tx_id of the newer generation. */
  svcUid: string;
  /** merchant_uid, or payment_id of the newer generation. */
  merchantUid: string;
  /** The interface generation that is asked (§9); legacy where absent. */
  generation?: 'legacy' | 'newer' | undefined;
  /** Of a notification, whose sender can invent ids: what we do not know is then fetched at a set rate. */
  isNotified?: boolean | undefined;
};
