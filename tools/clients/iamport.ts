// The client `iamport` (2016, callbacks wrapped in promises). All its instances share one host, which can be set.

import { KEY, type PublishedClient } from './published-client';

type Send = (fields: object) => Promise<unknown>;
type Iamport = {
  payment: Record<
    'getByImpUid' | 'getByMerchant' | 'getByStatus' | 'cancel' | 'prepare' | 'getPrepare',
    Send
  >;
  subscribe: Record<'onetime' | 'again' | 'schedule' | 'unschedule', Send>;
  subscribe_customer: Record<'get' | 'create' | 'delete', Send>;
  vbank: Record<'create', Send>;
};
type Module = {
  DEFAULT_HOST: string;
  new (credentials: { impKey: string; impSecret: string }): Iamport;
};

export const iamport: PublishedClient = {
  name: 'iamport',
  version: '0.3.4',
  connect(module, url, impSecret) {
    const Iamport = module as Module;
    Iamport.DEFAULT_HOST = url;
    const { payment, subscribe, subscribe_customer: keys, vbank } = new Iamport({ impKey: KEY, impSecret });
    return {
      calls: {
        getPayment: (uid) => payment.getByImpUid({ imp_uid: uid }),
        getPaymentOfOrder: (uid) => payment.getByMerchant({ merchant_uid: uid }),
        listPayments: (status) => payment.getByStatus({ payment_status: status }),
        issueKey: (uid, card) => keys.create({ customer_uid: uid, ...card }),
        getKey: (uid) => keys.get({ customer_uid: uid }),
        deleteKey: (uid) => keys.delete({ customer_uid: uid }),
        payAgain: (order) => subscribe.again(order),
        payOnce: (order) => subscribe.onetime(order),
        schedule: (uid, entry) => subscribe.schedule({ customer_uid: uid, schedules: [entry] }),
        unschedule: (uid) => subscribe.unschedule({ customer_uid: uid }),
        cancel: (request) => payment.cancel(request),
        prepare: (order) => payment.prepare(order),
        getPrepared: (uid) => payment.getPrepare({ merchant_uid: uid }),
        issueAccount: (account) => vbank.create(account),
      },
      recordOf: (resolved) => resolved,
      refusalOf(result) {
        const { code, message } = result as { code?: string; message: string };
        return `${code ?? 'no code'}: ${message}`;
      },
    };
  },
};
