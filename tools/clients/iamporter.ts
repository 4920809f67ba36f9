// The client `iamporter`. It resolves to status, message and data; a 404 resolves as well, with data null.

import { KEY, type PublishedClient } from './published-client';

type Answer = { status?: number; message?: string; data?: unknown };
type Send = (fields: object) => Promise<Answer>;
type SendId = (id: string) => Promise<Answer>;
type Iamporter = { getToken(): Promise<Answer> } & Record<
  'findByImpUid' | 'findByMerchantUid' | 'findAllByStatus' | 'getPreparedPayment',
  SendId
> &
  Record<'getSubscription' | 'deleteSubscription', SendId> &
  Record<'createSubscription' | 'paySubscription' | 'payOnetime' | 'cancel', Send> &
  Record<'createPreparedPayment' | 'createVbank', Send>;
type Module = {
  Iamporter: new (settings: { apiKey: string; secret: string; host: string }) => Iamporter;
};

export const iamporter: PublishedClient = {
  name: 'iamporter',
  version: '1.4.2',
  connect(module, host, secret) {
    const client = new (module as Module).Iamporter({ apiKey: KEY, secret, host });
    return {
      calls: {
        getToken: () => client.getToken(),
        getPayment: (uid) => client.findByImpUid(uid),
        getPaymentOfOrder: (uid) => client.findByMerchantUid(uid),
        listPayments: (status) => client.findAllByStatus(status),
        issueKey: (uid, card) => client.createSubscription({ customer_uid: uid, ...card }),
        getKey: (uid) => client.getSubscription(uid),
        deleteKey: (uid) => client.deleteSubscription(uid),
        payAgain: (order) => client.paySubscription(order),
        payOnce: (order) => client.payOnetime(order),
        cancel: (request) => client.cancel(request),
        prepare: (order) => client.createPreparedPayment(order),
        getPrepared: (uid) => client.getPreparedPayment(uid),
        issueAccount: (account) => client.createVbank(account),
      },
      recordOf: (resolved) => (resolved as Answer).data,
      refusalOf(result) {
        const { status, message } = result as Answer;
        return `${status ?? 'no status'}: ${message}`;
      },
    };
  },
};
