// Three stories about the look at the payment: the order is registered late, the service is down, and an answer is older than
// the next one.

import { AMOUNT, answersOf, notify, orderIs, orderStatus, pay, registerOrder } from './order-steps';
import { valueIn } from './scene';
import {
  must,
  newOrder,
  poll,
  toMerchant,
  toSandbox,
  until,
  type Stage,
  type Step,
  type Story,
} from './story';

const LOOK = 'GET /payments/:svc_uid';
/** The merchant tries again after half a minute at the latest. */
const ENOUGH_SECONDS = 60;

const untilPaid: Step = {
  name: 'wait',
  async run(stage) {
    await until(stage, async () => (await orderStatus(stage)) === 'paid', ENOUGH_SECONDS);
  },
};

async function countLooks(stage: Stage): Promise<number> {
  const path = `/requests/count?endpoint=${encodeURIComponent(LOOK)}`;
  return Number(valueIn((await stage.ask(toSandbox('GET', path))).body, 'count'));
}

const bend = (stage: Stage, fault: object) =>
  must(stage, toSandbox('POST', '/faults', { endpoint: LOOK, ...fault }));

export const earlyNotification: Story = {
  name: 'early-notification',
  steps: [
    {
      name: 'pay',
      async run(stage) {
        stage.facts['order'] = newOrder('early');
        await pay(stage);
      },
    },
    {
      name: 'register',
      async run(stage) {
        const order = { merchant_uid: stage.facts['order'], name: 'Tea', amount: AMOUNT };
        await must(stage, toMerchant('POST', '/api/orders', order));
      },
    },
    untilPaid,
  ],
  async ending(stage) {
    return [
      { name: 'answers', expected: '400 unknown_order', came: (await answersOf(stage)).join(', ') },
      ...(await orderIs(stage, { status: 'paid', payments: 1 })),
    ];
  },
};

export const outage: Story = {
  name: 'outage',
  steps: [
    registerOrder('outage'),
    {
      name: 'fault',
      run: async (stage) => void (await bend(stage, { kind: 'status', status: 503, times: 2 })),
    },
    { name: 'pay', run: (stage) => pay(stage) },
    untilPaid,
  ],
  async ending(stage) {
    await stage.ask(toSandbox('DELETE', '/faults'));
    return [
      { name: 'answers', expected: '200 queued', came: (await answersOf(stage)).join(', ') },
      ...(await orderIs(stage, { status: 'paid', payments: 1 })),
    ];
  },
};

export const overtaken: Story = {
  name: 'overtaken',
  steps: [
    registerOrder('overtaken'),
    { name: 'account', run: (stage) => pay(stage, { outcome: 'virtual_account', notify: false }) },
    {
      name: 'slow',
      async run(stage) {
        const before = await countLooks(stage);
        // One byte after the other: the answer is complete long after it was made.
        await bend(stage, { kind: 'drip', delay_ms: 1, times: 1 });
        const late = notify(stage, { status: 'ready' });
        await poll(stage, async () => (await countLooks(stage)) > before, ENOUGH_SECONDS);
        await must(stage, toSandbox('POST', `/payments/${stage.facts['svc_uid']}/deposit`, {}));
        await late;
        await stage.ask(toSandbox('GET', '/notifications?settled=1'));
      },
    },
  ],
  async ending(stage) {
    await until(stage, async () => (await orderStatus(stage)) === 'paid', ENOUGH_SECONDS);
    return [
      ...(await orderIs(stage, { status: 'paid', payments: 1 })),
      { name: 'notifications', expected: '2', came: String((await answersOf(stage)).length) },
    ];
  },
};
