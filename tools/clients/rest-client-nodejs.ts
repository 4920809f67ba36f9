// The client `iamport-rest-client-nodejs`: a request is an object that is sent through a connection. Its errors are axios errors
// or have the same shape.

import { KEY, type PublishedClient } from './published-client';

type Envelope = { code: number; message: string | null; response: unknown };
type Sendable = { request(connection: object): Promise<unknown> };
type Make<Names extends string> = Record<Names, (fields: object) => Sendable>;
type Module = {
  Iamport: new (settings: { apiKey: string; apiSecret: string; baseUrl: string }) => {
    getToken(): Promise<unknown>;
  };
  Request: {
    Payments: Make<'getByImpUid' | 'getByMerchantUid' | 'getByStatus' | 'cancel'>;
    Customers: Make<'postBillingKey' | 'getBillingKey' | 'deleteBillingKey'>;
    Subscribe: Make<'onetime' | 'again' | 'schedule' | 'unschedule' | 'getScheduleds'>;
    Prepare: Make<'postAmount' | 'getAmount'>;
    Vbanks: Make<'post'>;
  };
};

export const restClientNodejs: PublishedClient = {
  name: 'iamport-rest-client-nodejs',
  version: '0.9.12',
  settings: { billing_key_schedules_shape: 'paged' },
  connect(module, baseUrl, apiSecret) {
    const { Iamport, Request } = module as Module;
    const { Payments, Customers, Subscribe, Prepare, Vbanks } = Request;
    const connection = new Iamport({ apiKey: KEY, apiSecret, baseUrl });
    const send = (sendable: Sendable) => sendable.request(connection);
    return {
      calls: {
        getToken: () => connection.getToken(),
        getPayment: (uid) => send(Payments.getByImpUid({ imp_uid: uid })),
        getPaymentOfOrder: (uid) => send(Payments.getByMerchantUid({ merchant_uid: uid, status: 'paid' })),
        listPayments: (status) => send(Payments.getByStatus({ status })),
        issueKey: (uid, card) => send(Customers.postBillingKey({ customer_uid: uid, ...card })),
        getKey: (uid) => send(Customers.getBillingKey({ customer_uid: uid })),
        deleteKey: (uid) => send(Customers.deleteBillingKey({ customer_uid: uid })),
        payAgain: (order) => send(Subscribe.again(order)),
        payOnce: (order) => send(Subscribe.onetime(order)),
        schedule: (uid, entry) => send(Subscribe.schedule({ customer_uid: uid, schedules: [entry] })),
        listSchedules: async (uid, period) =>
          listOf(await send(Subscribe.getScheduleds({ customer_uid: uid, ...period }))),
        unschedule: (uid) => send(Subscribe.unschedule({ customer_uid: uid })),
        cancel: (request) => send(Payments.cancel(request)),
        prepare: (order) => send(Prepare.postAmount(order)),
        getPrepared: (uid) => send(Prepare.getAmount({ merchant_uid: uid })),
        issueAccount: (account) => send(Vbanks.post(account)),
      },
      recordOf: (resolved) => (resolved as { data: Envelope }).data.response,
      refusalOf(result) {
        const { message, response } = result as {
          message?: string;
          response?: { status?: number; data: Envelope };
        };
        if (!response) return String(message);
        const { status = 200, data } = response;
        return `${status}, code ${data.code}: ${data.message}`;
      },
    };
  },
};

/** The resolved value, with the list in place of its page. */
function listOf(resolved: unknown): unknown {
  const { data } = resolved as { data: { response: { list: unknown } } };
  return { data: { response: data.response.list } };
}
