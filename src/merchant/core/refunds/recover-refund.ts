// What became of a refund whose answer was lost, by its payment. No refund is ever sent again, and until this one is
// settled its payment takes no other.

import type { Recovery } from '../attempts/recover-attempt';
import { closeRefund, findOpenRefund, type OpenRefund } from './refund-store';
import { settleRefund } from './settle-refund';

export const refundRecovery: Recovery<OpenRefund> = {
  kind: 'refund',
  find: findOpenRefund,

  async ask(context, refund) {
    const finding = await settleRefund(context, refund);
    switch (finding) {
      case 'refunded':
      case 'needs_review':
        return { kind: 'settled', outcome: finding };
      case 'not_found':
      case 'unknown':
        return { kind: finding };
    }
  },

  async settleNotFound(context, { id }) {
    await closeRefund(context, id, 'not_executed', 'not_found');
    return 'not_executed';
  },

  logFields: ({ svcUid }) => ({ svc_uid: svcUid }),
};
