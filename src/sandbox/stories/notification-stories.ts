// Four stories about notifications: duplicates, a forged amount, two out of order, and one that is never sent.

import { answersOf, notify, orderIs, orderStatus, pay, registerOrder } from './order-steps';
import { valueIn } from './scene';
import { must, toMerchant, toSandbox, until, type Story } from './story';

export const duplicate: Story = {
  name: 'duplicate',
  steps: [
    registerOrder('twice'),
    { name: 'pay', run: (stage) => pay(stage) },
    { name: 'again', run: (stage) => notify(stage, { times: 5 }) },
  ],
  async ending(stage) {
    const path = `/api/events?merchant_uid=${stage.facts['order']}`;
    const { body } = await must(stage, toMerchant('GET', path));
    const { list = [] } = body as { list?: { type?: string }[] };
    const told = list.filter(({ type }) => type === 'order.paid').length;
    return [
      {
        name: 'answers',
        expected: ['200 recorded', ...Array.from({ length: 5 }, () => '200 unchanged')].join(', '),
        came: (await answersOf(stage)).join(', '),
      },
      ...(await orderIs(stage, { status: 'paid', payments: 1 })),
      { name: 'events', expected: '1', came: String(told) },
    ];
  },
};

const FORGED_AMOUNT = 100;

export const forgedAmount: Story = {
  name: 'forged-amount',
  steps: [
    registerOrder('forged'),
    { name: 'pay-less', run: (stage) => pay(stage, { amount: FORGED_AMOUNT }) },
  ],
  async ending(stage) {
    const path = `/api/discrepancies?merchant_uid=${stage.facts['order']}`;
    const { body } = await must(stage, toMerchant('GET', path));
    return [
      { name: 'answers', expected: '400 amount_mismatch', came: (await answersOf(stage)).join(', ') },
      ...(await orderIs(stage, { status: 'open', payments: 0 })),
      { name: 'discrepancy', expected: 'amount_mismatch', came: valueIn(body, 'list', 0, 'kind') },
    ];
  },
};

export const outOfOrder: Story = {
  name: 'out-of-order',
  steps: [
    registerOrder('order'),
    { name: 'account', run: (stage) => pay(stage, { outcome: 'virtual_account', notify: false }) },
    {
      name: 'deposit',
      async run(stage) {
        await must(stage, toSandbox('POST', `/payments/${stage.facts['svc_uid']}/deposit`, {}));
        await stage.ask(toSandbox('GET', '/notifications?settled=1'));
      },
    },
    { name: 'late', run: (stage) => notify(stage, { status: 'ready' }) },
  ],
  async ending(stage) {
    return [
      {
        name: 'answers',
        expected: '200 recorded, 200 unchanged',
        came: (await answersOf(stage)).join(', '),
      },
      ...(await orderIs(stage, { status: 'paid', payments: 1 })),
    ];
  },
};

export const missedNotification: Story = {
  name: 'missed-notification',
  steps: [
    registerOrder('missed'),
    { name: 'pay-silently', run: (stage) => pay(stage, { notify: false }) },
    {
      name: 'unknown',
      async run(stage) {
        const { body } = await must(stage, toMerchant('GET', `/api/orders/${stage.facts['order']}`));
        stage.facts['before'] = valueIn(body, 'status');
      },
    },
    {
      name: 'compare',
      async run(stage) {
        const { order, svc_uid: svcUid } = stage.facts;
        if (stage.compareBooks) await stage.compareBooks();
        else await must(stage, toMerchant('POST', `/api/payments/${svcUid}/sync`, { merchant_uid: order }));
        await until(stage, async () => (await orderStatus(stage)) === 'paid', 10);
      },
    },
  ],
  async ending(stage) {
    return [
      { name: 'before', expected: 'open', came: stage.facts['before'] ?? '' },
      ...(await orderIs(stage, { status: 'paid', payments: 1 })),
      { name: 'notifications', expected: '0', came: String((await answersOf(stage)).length) },
    ];
  },
};
