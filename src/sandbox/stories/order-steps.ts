// Steps that most stories share: register an order, pay it, and read it at the end.

import { valueIn } from './scene';
import { must, newOrder, toMerchant, toSandbox, type Expectation, type Stage, type Step } from './story';

export const AMOUNT = 19_000;

export const registerOrder = (word: string): Step => ({
  name: 'register',
  async run(stage) {
    stage.facts['order'] = newOrder(word);
    const order = { merchant_uid: stage.facts['order'], name: 'Tea', amount: AMOUNT };
    await must(stage, toMerchant('POST', '/api/orders', order));
  },
});

/** The member pays in the payment window. Resolves when the merchant has answered the notification. */
export async function pay(stage: Stage, fields: object = {}): Promise<void> {
  const payment = { merchant_uid: stage.facts['order'], amount: AMOUNT, ...fields };
  const { body } = await must(stage, toSandbox('POST', '/payments', payment));
  stage.facts['svc_uid'] = valueIn(body, 'svc_uid');
  await stage.ask(toSandbox('GET', '/notifications?settled=1'));
}

export async function notify(stage: Stage, fields: object): Promise<void> {
  await must(stage, toSandbox('POST', `/payments/${stage.facts['svc_uid']}/notify`, fields));
}

/** The merchant's answers to the notifications of the payment, oldest first, such as `200 recorded`. */
export async function answersOf(stage: Stage): Promise<string[]> {
  const { body } = await stage.ask(toSandbox('GET', '/notifications?settled=1'));
  const { notifications = [] } = body as { notifications?: Notified[] };
  return notifications
    .filter(({ svc_uid }) => svc_uid === stage.facts['svc_uid'])
    .map(({ attempts }) => {
      const answer = attempts.at(-1)?.answer;
      return answer
        ? `${answer.status} ${/"outcome"\s*:\s*"(\w{1,40})"/.exec(answer.body)?.[1] ?? ''}`.trim()
        : '';
    });
}

type Notified = { svc_uid: string | null; attempts: { answer: { status: number; body: string } | null }[] };

/** Compares the merchant's order with the expected values. */
export async function orderIs(
  stage: Stage,
  expected: { status: string; payments: number },
): Promise<Expectation[]> {
  const { body } = await must(stage, toMerchant('GET', `/api/orders/${stage.facts['order']}`));
  const { payments } = body as { payments?: unknown[] };
  return [
    { name: 'order', expected: expected.status, came: valueIn(body, 'status') },
    { name: 'payments', expected: String(expected.payments), came: String(payments?.length ?? '') },
  ];
}

export async function orderStatus(stage: Stage): Promise<string> {
  const { body } = await stage.ask(toMerchant('GET', `/api/orders/${stage.facts['order']}`));
  return valueIn(body, 'status');
}
