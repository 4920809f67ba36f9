// Registers the amount that is expected for an order, and shows what is registered (§4.9).

import { z } from 'zod';
import { failure, HttpError, success } from '../http/answer';
import type { Endpoint } from '../http/endpoint';
import { parseFields } from '../http/fields';
import { orderFields } from './order';
import type { PreparedAmount, PreparedAmounts } from './prepared-amounts';

const prepareSchema = z.object({
  merchant_uid: orderFields.merchant_uid,
  amount: orderFields.amount,
  currency: orderFields.currency,
});

export function prepareEndpoints(preparedAmounts: PreparedAmounts): Endpoint[] {
  return [
    {
      method: 'POST',
      path: '/payments/prepare',
      access: 'legacy',
      // Our choice: the same amount is accepted again, so that a client can retry after a lost answer. Another amount is
      // refused, because forged amounts are detected by comparing with the registered one.
      handle: ({ body }) => {
        const { merchant_uid: merchantUid, amount, currency = null } = parseFields(prepareSchema, body);
        const present = preparedAmounts.find(merchantUid);
        if (present && (present.amount !== amount || present.currency !== currency))
          return failure('merchant_uid: another amount is registered for this order');
        const prepared = { merchantUid, amount, currency };
        if (!present) preparedAmounts.save(prepared);
        return success(preparedRecord(prepared));
      },
    },
    {
      method: 'GET',
      path: '/payments/prepare/:merchant_uid',
      access: 'legacy',
      handle: ({ params }) => {
        const prepared = preparedAmounts.find(params.merchant_uid ?? '');
        if (!prepared) throw new HttpError(404, 'merchant_uid: no amount is registered');
        return success(preparedRecord(prepared));
      },
    },
  ];
}

function preparedRecord({ merchantUid, amount, currency }: PreparedAmount) {
  return { merchant_uid: merchantUid, amount, currency };
}
