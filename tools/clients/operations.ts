// The operations that each published client executes, in this order; later ones depend on earlier ones. First the operations
// that must succeed, then those that the service refuses.

import type { Calls, Card } from './published-client';

/** The state before the first operation: a window payment of 1,000 won, and the time in UNIX seconds. */
export type Facts = { svcUid: string; merchantUid: string; now: number };

export type Operation = {
  name: string;
  call: keyof Calls;
  /** The client uses a wrong secret. */
  wrongSecret?: true;
  run(calls: Calls, facts: Facts): Promise<unknown>;
  /** Fields that the record must have; or a refusal; or an endpoint that the sandbox does not have. */
  expected: object | 'refusal' | 'no endpoint';
};

const CARD: Card = {
  card_number: '4242-4242-4242-4242',
  expiry: '2037-12',
  birth: '880101',
  pwd_2digit: '12',
};
const DECLINED: Card = { ...CARD, card_number: '4000-0000-0000-0002' };
const UID = 'member-1';
const order = (merchantUid: string) => ({ merchant_uid: merchantUid, amount: 1000, name: 'Tea' });
const PAID = { status: 'paid', amount: 1000 };
/** A predicate is used for values that are not known beforehand. */
const isText = (value: unknown) => typeof value === 'string' && value !== '';

export const OPERATIONS: readonly Operation[] = [
  {
    name: 'token',
    call: 'getToken',
    run: (calls) => calls.getToken(),
    expected: { access_token: isText },
  },
  {
    name: 'payment by svc_uid',
    call: 'getPayment',
    run: (calls, { svcUid }) => calls.getPayment(svcUid),
    expected: PAID,
  },
  {
    name: 'payment by merchant_uid',
    call: 'getPaymentOfOrder',
    run: (calls, { merchantUid }) => calls.getPaymentOfOrder(merchantUid),
    expected: PAID,
  },
  {
    name: 'payments by status',
    call: 'listPayments',
    run: (calls) => calls.listPayments('paid'),
    expected: { total: 1, list: [PAID] },
  },
  {
    name: 'billing key issued',
    call: 'issueKey',
    run: (calls) => calls.issueKey(UID, CARD),
    expected: { customer_uid: UID },
  },
  {
    name: 'billing key read',
    call: 'getKey',
    run: (calls) => calls.getKey(UID),
    expected: { customer_uid: UID },
  },
  {
    name: 'charge with the key',
    call: 'payAgain',
    run: (calls) => calls.payAgain({ customer_uid: UID, ...order('again-1') }),
    expected: PAID,
  },
  {
    name: 'key-in payment',
    call: 'payOnce',
    run: (calls) => calls.payOnce({ ...order('onetime-1'), ...CARD }),
    expected: PAID,
  },
  {
    name: 'schedule',
    call: 'schedule',
    run: (calls, { now }) => calls.schedule(UID, { ...order('schedule-1'), schedule_at: now + 600 }),
    expected: [{ merchant_uid: 'schedule-1', schedule_status: 'scheduled' }],
  },
  {
    name: 'schedules of the key',
    call: 'listSchedules',
    run: (calls, { now }) => calls.listSchedules(UID, { from: now, to: now + 3600 }),
    expected: [{ merchant_uid: 'schedule-1', schedule_status: 'scheduled' }],
  },
  {
    name: 'unschedule',
    call: 'unschedule',
    run: (calls) => calls.unschedule(UID),
    expected: [{ merchant_uid: 'schedule-1', schedule_status: 'revoked' }],
  },
  {
    name: 'cancel in part',
    call: 'cancel',
    run: (calls, { svcUid }) => calls.cancel({ imp_uid: svcUid, amount: 400, reason: 'a part' }),
    expected: { status: 'cancelled', cancel_amount: 400 },
  },
  {
    name: 'cancel in full',
    call: 'cancel',
    run: (calls, { svcUid }) => calls.cancel({ imp_uid: svcUid, reason: 'the rest' }),
    expected: { status: 'cancelled', cancel_amount: 1000 },
  },
  {
    name: 'prepare',
    call: 'prepare',
    run: (calls) => calls.prepare({ merchant_uid: 'prepare-1', amount: 1000 }),
    expected: { merchant_uid: 'prepare-1', amount: 1000 },
  },
  {
    name: 'prepared amount',
    call: 'getPrepared',
    run: (calls) => calls.getPrepared('prepare-1'),
    expected: { merchant_uid: 'prepare-1', amount: 1000 },
  },
  {
    name: 'billing key deleted',
    call: 'deleteKey',
    run: (calls) => calls.deleteKey(UID),
    expected: { customer_uid: UID },
  },
  {
    name: 'virtual account by API',
    call: 'issueAccount',
    run: (calls, { now }) =>
      calls.issueAccount({
        merchant_uid: 'vbank-1',
        amount: 1000,
        vbank_code: '004',
        vbank_due: now + 86_400,
        vbank_holder: 'Shop',
      }),
    expected: 'no endpoint',
  },
  {
    name: 'unknown payment',
    call: 'getPayment',
    run: (calls) => calls.getPayment('imp_0'),
    expected: 'refusal',
  },
  {
    name: 'key of a declined card',
    call: 'issueKey',
    run: (calls) => calls.issueKey('member-2', DECLINED),
    expected: 'refusal',
  },
  {
    name: 'key-in payment, declined',
    call: 'payOnce',
    run: (calls) => calls.payOnce({ ...order('onetime-2'), ...DECLINED }),
    expected: 'refusal',
  },
  {
    name: 'charge with a deleted key',
    call: 'payAgain',
    run: (calls) => calls.payAgain({ customer_uid: UID, ...order('again-2') }),
    expected: 'refusal',
  },
  {
    name: 'cancel of nothing',
    call: 'cancel',
    run: (calls, { svcUid }) => calls.cancel({ imp_uid: svcUid, reason: 'again' }),
    expected: 'refusal',
  },
  {
    name: 'wrong secret',
    call: 'getPayment',
    wrongSecret: true,
    run: (calls, { svcUid }) => calls.getPayment(svcUid),
    expected: 'refusal',
  },
];
