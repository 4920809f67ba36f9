// The console's actions on a payment. Each succeeds at the first press: if no payment is chosen, an order is registered with
// the merchant and paid first.

import { HttpError } from '../http/answer';
import { windowPaymentSchema } from '../payments/pay-in-window';
import { valueIn, type Scene } from '../stories/scene';
import { given, MAX_WAIT_MS, mustCall, textOf, type Fields, type Outcome } from './press';

type Trigger = (scene: Scene, fields: Fields) => Promise<Outcome>;
type Paid = { svcUid: string; order: string };

/** What came of a payment, by its status. */
const RESULTS: Record<string, Outcome['result']> = { failed: 'pay_failed', ready: 'account' };

const FETCH_PAYMENT = 'GET /payments/:svc_uid';
const PAY_FIELDS = Object.keys(windowPaymentSchema.shape);

/** Keyed by form name. The button that was pressed is in `how` or `outcome`. */
export const TRIGGERS: Record<string, Trigger> = {
  pay: async (scene, fields) => {
    const paid = await pay(scene, fields);
    return { result: RESULTS[paid.status] ?? 'pay', ...paid };
  },
  method: async (scene, fields) => ({ result: 'pay', ...(await pay(scene, fields)) }),

  /** The key of a wallet or a card, registered in the window without a payment. */
  async key(scene, fields) {
    const { how } = fields;
    const body = await control(scene, 'POST', '/payments', {
      ...given(fields, ['merchant_uid', 'customer_uid', 'pay_method']),
      amount: 0,
      ...(await requestKey(scene, fields)),
      outcome: how === 'refuse' ? 'failed' : 'paid',
      notify: how !== 'lose',
    });
    const paid = { svcUid: valueIn(body, 'svc_uid'), order: valueIn(body, 'merchant_uid') };
    return { result: how === 'refuse' ? 'key_refused' : 'key', ...paid };
  },

  async deposit(scene, fields) {
    const paid = await chosenOr(scene, fields, { outcome: 'virtual_account' });
    const seconds = given(fields, ['advance_seconds']);
    if (seconds['advance_seconds']) await control(scene, 'POST', '/clock', seconds);
    await control(scene, 'POST', `/payments/${paid.svcUid}/deposit`);
    return { result: 'deposit', ...paid };
  },

  async lost_notification(scene, fields) {
    return { result: 'lost_notification', ...(await pay(scene, { ...fields, notify: 'false' })) };
  },

  /** To lose a fetch of a payment, a payment is made at once. A fault on another endpoint waits for the next call. */
  async lost_answer(scene, fields) {
    const endpoint = textOf(fields['endpoint']) || FETCH_PAYMENT;
    const fault = { endpoint, kind: 'lost_response', times: 1 };
    if (endpoint !== FETCH_PAYMENT) {
      await control(scene, 'POST', '/faults', fault);
      return { result: 'lost_answer' };
    }
    await register(scene, fields);
    await control(scene, 'POST', '/faults', fault);
    return { result: 'lost_answer', ...(await pay(scene, { ...fields, register: '' })) };
  },

  async forge(scene, fields) {
    const paid = await chosenOr(scene, fields, { notify: 'false' });
    const path = `/payments/${paid.svcUid}`;
    const tamper = (names: string[]) => control(scene, 'POST', `${path}/tamper`, given(fields, names));
    const lie = (names: string[]) => control(scene, 'POST', `${path}/notify`, given(fields, names));
    switch (fields['how']) {
      case 'status':
        await lie(['status']);
        break;
      case 'source':
        await lie(['source']);
        break;
      case 'order':
        await tamper(['merchant_uid']);
        await lie([]);
        break;
      default:
        await tamper(['amount', 'currency']);
        await lie([]);
    }
    return { result: 'forge', ...paid };
  },

  async again(scene, fields) {
    const paid = await chosenOr(scene, fields, {});
    await control(scene, 'POST', `/payments/${paid.svcUid}/notify`, given(fields, ['times']));
    return { result: 'again', ...paid };
  },

  async cancel(scene, fields) {
    const paid = await chosenOr(scene, fields, {});
    await control(scene, 'POST', `/payments/${paid.svcUid}/cancel`, given(fields, ['amount', 'reason']));
    return { result: 'cancel', ...paid };
  },
};

/** The actions beside a payment in the stream. */
const PAYMENT_ACTIONS = ['deposit', 'cancel', 'notify'] as const;

export async function actOnPayment(scene: Scene, svcUid: string, action: string): Promise<Outcome> {
  const known = PAYMENT_ACTIONS.find((each) => each === action);
  if (known === undefined) throw new HttpError(404, 'action: unknown');
  const body = await control(scene, 'POST', `/payments/${encodeURIComponent(svcUid)}/${known}`, {});
  const order = valueIn(body, 'merchant_uid') || valueIn(body, 'notifications', 0, 'body', 'merchant_uid');
  return { result: known, svcUid, order };
}

export function control(scene: Scene, method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) {
  return mustCall(scene, { to: 'sandbox', method, path: `/_sandbox${path}`, ...(body && { body }) });
}

/** The payment chosen in the form, or a new one of 10,000 won. */
async function chosenOr(scene: Scene, fields: Fields, changes: Fields): Promise<Paid> {
  const { svc_uid: chosen, new_order: order } = fields;
  if (typeof chosen === 'string' && chosen !== '')
    return { svcUid: encodeURIComponent(chosen), order: await orderOf(scene, chosen) };
  const paid = await pay(scene, { merchant_uid: order, amount: '10000', register: 'on', ...changes });
  await waitForReceiver(scene);
  return paid;
}

/** The order is registered first, because a merchant refuses payments of unknown orders. */
async function pay(scene: Scene, fields: Fields): Promise<Paid & { status: string }> {
  await register(scene, fields);
  const body = await control(scene, 'POST', '/payments', given(fields, PAY_FIELDS));
  return {
    svcUid: valueIn(body, 'svc_uid'),
    order: valueIn(body, 'merchant_uid'),
    status: valueIn(body, 'status'),
  };
}

/** The next call must not overtake the first notification. The wait is limited, in case the receiver does not answer. */
async function waitForReceiver(scene: Scene): Promise<void> {
  const idle = scene.ask({ to: 'sandbox', method: 'GET', path: '/_sandbox/notifications?settled=1' });
  await Promise.race([
    idle.catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS).unref()),
  ]);
}

async function register(scene: Scene, fields: Fields): Promise<void> {
  if (!scene.places.merchant || fields['register'] !== 'on') return;
  const order = given(fields, ['merchant_uid', 'amount', 'currency', 'name']);
  if (typeof order['amount'] !== 'number') throw new HttpError(400, 'amount: must be a whole number');
  const body = { name: 'Tea', ...order };
  await mustCall(scene, { to: 'merchant', method: 'POST', path: '/api/orders', body });
}

/**
 * The parameters with which the merchant opens the window for this member, because a key that it did not request fits no
 * member. None if no merchant is known, or if it does not issue keys in the window.
 */
async function requestKey(scene: Scene, fields: Fields): Promise<Fields> {
  const { member_id: memberId, pay_method } = given(fields, ['member_id', 'pay_method']);
  if (!scene.places.merchant || typeof memberId !== 'string') return {};
  const path = `/api/members/${encodeURIComponent(memberId)}/billing-key-requests`;
  const { status, body } = await scene.call({ to: 'merchant', method: 'POST', path, body: { pay_method } });
  if (status === 404) return {};
  if (status !== 201) throw new HttpError(502, `merchant: ${status} ${valueIn(body, 'error', 'code')}`);
  return given((body as { window: Fields }).window, PAY_FIELDS);
}

/** The order id in the payment's notifications, or else the svc_uid. The next call refuses an unknown payment. */
async function orderOf(scene: Scene, svcUid: string): Promise<string> {
  const { body } = await scene.ask({ to: 'sandbox', method: 'GET', path: '/_sandbox/notifications' });
  const { notifications = [] } = (body ?? {}) as { notifications?: { svc_uid: string | null }[] };
  const known = notifications.find(({ svc_uid }) => svc_uid === svcUid);
  return known ? valueIn(known, 'body', 'merchant_uid') || valueIn(known, 'body', 'payment_id') : svcUid;
}
