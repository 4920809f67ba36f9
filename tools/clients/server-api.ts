// The client `iamport-server-api`. Its calls resolve to the envelope, even if `code` is not 0, and reject for another HTTP status.

import { KEY, type PublishedClient } from './published-client';

type Envelope = { code: number; message: string | null; response: unknown };
type Credentials = { imp_key: string; imp_secret: string };
type Connection = { host: string; headers?: Record<string, string> };
type Send = (connection: Connection, input: object) => Promise<Envelope>;
type SendId = (connection: Connection, id: string, input: object) => Promise<Envelope>;
type Module = {
  IamportConnector: new (host: string, credentials: Credentials) => { get(): Promise<Connection> };
  functional: {
    users: { getToken: Send };
    payments: { at: SendId; cancel: Send };
    subscribe: {
      customers: { at: SendId; create: SendId; erase: SendId };
      payments: { again: Send; onetime: Send };
    };
    vbanks: { create: Send };
  };
};

export const serverApi: PublishedClient = {
  name: 'iamport-server-api',
  version: '10.0.0',
  connect(module, host, secret) {
    const { IamportConnector, functional } = module as Module;
    const { users, payments, subscribe, vbanks } = functional;
    const credentials = { imp_key: KEY, imp_secret: secret };
    const connector = new IamportConnector(host, credentials);
    const send = async (call: Send, input: object) => call(await connector.get(), input);
    const sendId = async (call: SendId, id: string, input = {}) => call(await connector.get(), id, input);
    return {
      calls: {
        getToken: () => users.getToken({ host }, credentials),
        getPayment: (uid) => sendId(payments.at, uid),
        issueKey: (uid, card) => sendId(subscribe.customers.create, uid, { customer_uid: uid, ...card }),
        getKey: (uid) => sendId(subscribe.customers.at, uid),
        deleteKey: (uid) => sendId(subscribe.customers.erase, uid),
        payAgain: (order) => send(subscribe.payments.again, order),
        payOnce: (order) => send(subscribe.payments.onetime, order),
        // Its types require the checksum; null means none.
        cancel: (request) => send(payments.cancel, { ...request, checksum: null }),
        issueAccount: (account) => send(vbanks.create, account),
      },
      recordOf: (resolved) => (resolved as Envelope).response,
      refusalOf(result) {
        const { code, status, message } = result as { code?: number; status?: number; message: string };
        return `${status === undefined ? `code ${code}` : status}: ${message}`;
      },
    };
  },
};
